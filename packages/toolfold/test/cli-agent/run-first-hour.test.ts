import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import {
  ofChildren,
  scripted,
  send,
  tasks,
} from '@toolfold/agent/test/subagents/team.test-support.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { command } from '../cli/in-process.test-support.ts';
import { home } from '../cli/process.test-support.ts';
import { limited, scene } from './run.test-support.ts';

const sayYes = () => ({ text: 'Yes.' });

suite('run with instructions of the project', () => {
  test('a session keeps those it began with; a new one reads them', limited, async (context) => {
    const { ask, model, folder } = await scene(context, sayYes);
    const file = join(folder, 'AGENTS.md');
    await writeFile(file, 'Use tabs.');
    const first = await ask('Hello', '--session', 'new');
    assert.match(first.stderr, /^Instructions from AGENTS\.md \(9 bytes\)$/m);
    const [, id = ''] = /^Session: (\S+)$/m.exec(first.stderr) ?? [];
    await writeFile(file, 'Use spaces.');
    await ask('Go on', '--session', id);
    await rm(file);
    await ask('Go on', '--session', id);
    const systems = model.requests.map(({ body }) =>
      JSON.stringify((body as { system: unknown }).system),
    );
    assert.match(systems[0] ?? '', /Use tabs\./);
    assert.deepEqual(new Set(systems).size, 1, 'the prefix of a session stays the same');
    await writeFile(file, 'Use spaces.');
    await ask('Hello');
    assert.match(model.requests.at(-1)?.raw ?? '', /Use spaces\./);
  });

  test('a session that began without keeps its prefix', limited, async (context) => {
    for (const flags of [[], ['--no-instructions']]) {
      const { ask, model, folder } = await scene(context, sayYes);
      if (flags.length > 0) await writeFile(join(folder, 'AGENTS.md'), 'Use tabs.');
      const { stderr } = await ask('Hello', '--session', 'new', ...flags);
      assert.doesNotMatch(stderr, /Instructions/);
      const [, id = ''] = /^Session: (\S+)$/m.exec(stderr) ?? [];
      await writeFile(join(folder, 'AGENTS.md'), 'Use tabs.');
      await ask('Go on', '--session', id);
      assert.equal(model.requests.filter(({ raw }) => raw.includes('Use tabs')).length, 0);
    }
  });

  test(
    'subagents get the text of their session, also after the files have changed',
    limited,
    async (context) => {
      const script = scripted(
        [send(tasks(2)), { text: 'One.' }, send(tasks(1)), { text: 'Two.' }],
        () => ({
          text: 'Did it.',
        }),
      );
      const { ask, model, folder } = await scene(context, script, { subagents: true });
      await writeFile(join(folder, 'AGENTS.md'), 'Use tabs.');
      const { stderr } = await ask('Hello', '--session', 'new');
      const [, id = ''] = /^Session: (\S+)$/m.exec(stderr) ?? [];
      await writeFile(join(folder, 'AGENTS.md'), 'Use spaces.');
      await ask('Go on', '--session', id);
      const systems = ofChildren(model).map(({ body }) =>
        JSON.stringify((body as { system: unknown }).system),
      );
      assert.equal(systems.length, 3);
      assert.equal(new Set(systems).size, 1, 'all children have one prefix');
      assert.match(systems[0] ?? '', /You are a subagent.*Use tabs\./);
    },
  );

  test('the configuration turns them off', limited, async (context) => {
    const { ask, model, folder } = await scene(context, sayYes, { projectInstructions: false });
    await writeFile(join(folder, 'CLAUDE.md'), 'Use tabs.');
    const { stderr } = await ask('Hello');
    assert.doesNotMatch(stderr + model.requests[0]?.raw, /Instructions|Use tabs/);
  });
});

/** A server that lists one model, as Ollama does, and counts what it is sent besides. */
async function lister(context: TestContext) {
  const others: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    if (url !== '/v1/models') others.push(url);
    response.end(JSON.stringify({ object: 'list', data: [{ id: 'qwen3', object: 'model' }] }));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  context.after(() => server.close());
  return { port: (server.address() as { port: number }).port, others };
}

suite('run without a model', () => {
  test('names the models of this computer and sends them nothing: 2', limited, async (context) => {
    const { port, others } = await lister(context);
    const folder = await home(context);
    const env = { TOOLFOLD_LOCAL_PORTS: `${port}`, TOOLFOLD_API_KEY: 'secret' };
    const { code, stderr } = await command(folder, ['run', 'Hello'], { env });
    assert.equal(code, 2, stderr);
    assert.match(
      stderr,
      new RegExp(`No model is given.*On this computer: --model local-${port}/qwen3`),
    );
    assert.deepEqual(others, []);
  });

  test('a model of this computer needs no address, and gets no key', limited, async (context) => {
    await using server = await startModelServer({ script: sayYes });
    const { port } = new URL(server.baseUrl('openai-chat'));
    const folder = await home(context);
    const args = ['run', 'Hello', '--model', `local-${port}/qwen3`];
    const env = { TOOLFOLD_API_KEY: 'secret', OLLAMA_API_KEY: 'secret' };
    const { code, stdout, stderr } = await command(folder, args, { env });
    assert.deepEqual([code, stdout], [0, 'Yes.\n'], stderr);
    assert.doesNotMatch(JSON.stringify(server.requests), /secret/);
  });

  test('a provider of the configuration gets the key of its variable', limited, async (context) => {
    await using server = await startModelServer({ script: sayYes });
    const providers = { acme: { address: server.baseUrl('openai-chat'), key: 'MY_KEY' } };
    const folder = await home(context, {
      'toolfold.json': JSON.stringify({ toolfold: { providers } }),
    });
    const args = ['run', 'Hello', '--model', 'acme/small'];
    const { code, stderr } = await command(folder, args, { env: { MY_KEY: 'secret' } });
    assert.equal(code, 0, stderr);
    const wrong = { toolfold: { providers: { anthropic: providers.acme } } };
    await writeFile(join(folder, 'toolfold.json'), JSON.stringify(wrong));
    const refused = await command(folder, args, { env: { ANTHROPIC_API_KEY: 'secret' } });
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /the provider "anthropic" .* cannot have this name/);
  });
});
