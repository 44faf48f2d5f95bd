// test: slow
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { HttpClient, StdioClient } from '@toolfold/mcp/test/gateway/raw-client.test-support.ts';
import type { Era } from '@toolfold/mcp/test/gateway/raw-server.test-support.ts';
import { Watch } from '@toolfold/mcp/test/server/watch.test-support.ts';
import { environment, home, root } from '../cli/process.test-support.ts';

const limited = { timeout: 120_000 };

const ELICIT = "{ message: 'Who?', requestedSchema: { type: 'object', properties: {} } }";

/** A server that says on its socket what happens to it. */
const SOURCE = {
  before: `process.stdin.on('data', (data) => {
    if (String(data).includes('notifications/cancelled')) alive.write('cancelled');
  });`,
  tools: "['echo', 'wait', 'ask'].map((name) => ({ name, inputSchema: { type: 'object' } }))",
  call: `const { id, params } = message;
    if (params.name === 'echo') say({ id, result: { content: [], fine: true } });
    if (params.name === 'wait') alive.write('waiting');
    if (params.name === 'ask') say({ id: 'q', method: 'elicitation/create', params: ${ELICIT} });`,
};

/** A server that never answers its handshake. */
const SILENT = {
  before: "process.stdin.on('data', () => alive.write('silent')); return;",
};

/** Passes lines on. Whoever kills it kills the client of a gateway. */
const CLIENT = `const [program, ...args] = process.argv.slice(1);
  const child = require('node:child_process').spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  process.stdin.pipe(child.stdin);
  child.stdout.pipe(process.stdout);`;

interface Scene {
  readonly watch: Watch;
  readonly env: NodeJS.ProcessEnv;
  readonly command: (...flags: string[]) => string[];
}

async function open(context: TestContext, source: object = SOURCE): Promise<Scene> {
  const watch = await Watch.begin(context);
  const { command, args } = await watch.entry(source);
  const folder = await home(context);
  const config = join(folder, 'c.json');
  await writeFile(config, JSON.stringify({ mcpServers: { odd: { command, args } } }));
  const words = [
    process.execPath,
    join(root, 'packages/toolfold/bin/toolfold.js'),
    'serve',
    '--config',
    config,
  ];
  return {
    watch,
    env: environment(folder, {}) as NodeJS.ProcessEnv,
    command: (...flags) => [...words, '--mode', 'eager', ...flags],
  };
}

const capabilities = { elicitation: {} };

function clientOf(context: TestContext, command: readonly string[], env: NodeJS.ProcessEnv) {
  const asked = Promise.withResolvers<void>();
  const answer = (): never => {
    asked.resolve();
    // There is no answer.
    return undefined as never;
  };
  const client = new StdioClient(command, { era: 'legacy', capabilities, answer }, env);
  context.after(() => client.child.kill('SIGKILL'));
  return { client, asked: asked.promise };
}

/** In which state of the gateway somebody is killed. */
const states = {
  'while a server starts': async ({ client, watch }) => {
    await client.begin();
    void client.call('odd__echo');
    await watch.said();
  },
  'after a call': async ({ client }) => {
    await client.begin();
    await client.call('odd__echo');
  },
  'in a call': async ({ client, watch }) => {
    await client.begin();
    void client.call('odd__wait');
    await watch.said();
  },
  'while a question is open': async ({ client, asked }) => {
    await client.begin();
    void client.call('odd__ask');
    await asked;
  },
} satisfies Record<string, (scene: Scene & ReturnType<typeof clientOf>) => Promise<void>>;

for (const who of ['client', 'gateway'] as const)
  for (const [when, reach] of Object.entries(states))
    test(`the ${who} is killed ${when}: no process is left`, limited, async (context) => {
      const scene = await open(context, when === 'while a server starts' ? SILENT : SOURCE);
      const { env, command, watch } = scene;
      const words = who === 'client' ? [process.execPath, '-e', CLIENT, ...command()] : command();
      const opened = clientOf(context, words, env);
      const { child } = opened.client;
      await reach({ ...scene, ...opened });
      // The gateway has it too, so it closes when both have ended.
      const ended = once(child.stderr ?? assert.fail(), 'close');
      child.kill('SIGKILL');
      await ended;
      await watch.allGone();
    });

/** Starts a gateway over HTTP. */
async function listening(context: TestContext, { command, env }: Scene, port: string) {
  const gateway = new StdioClient(command('--http', port), { era: 'legacy' }, env);
  const { child } = gateway;
  context.after(() => child.kill('SIGKILL'));
  for (;;) {
    const url = /Listening on (\S+)/.exec(gateway.stderr)?.[1];
    if (url !== undefined) return { child, url };
    await once(child.stderr ?? assert.fail(), 'data');
  }
}

for (const era of ['legacy', 'modern'] as const satisfies readonly Era[])
  test(
    `the ${era} client of a gateway over HTTP is killed in a call: only its call ends`,
    limited,
    async (context) => {
      const scene = await open(context);
      const { url } = await listening(context, scene, '0');
      const other = new HttpClient(url, { era });
      context.after(() => other.close());
      await other.begin();
      await other.call('odd__echo');
      const source = join(root, 'packages/mcp/test/gateway/raw-client.test-support.ts');
      const script = `const { HttpClient } = await import(${JSON.stringify(source)});
        const client = new HttpClient(${JSON.stringify(url)}, { era: '${era}' });
        await client.begin();
        await client.call('odd__wait');`;
      const node = [process.execPath, '--input-type=module', '-e', script];
      const { child } = new StdioClient(node, { era }, scene.env);
      context.after(() => child.kill('SIGKILL'));
      await scene.watch.said();
      const cancelled = scene.watch.said();
      child.kill('SIGKILL');
      await cancelled;
      const { result } = await other.call('odd__echo');
      assert.equal(result?.fine, true);
    },
  );

test(
  'a gateway over HTTP is killed and starts again: old sessions and questions are refused',
  limited,
  async (context) => {
    const scene = await open(context);
    const first = await listening(context, scene, '0');
    const ask = { name: 'odd__ask', arguments: {} };
    const old = new HttpClient(first.url, { era: 'legacy' });
    const modern = new HttpClient(first.url, { era: 'modern', capabilities });
    context.after(() => modern.close());
    await old.begin();
    const { result } = await modern.request('tools/call', ask);
    assert.equal(result?.resultType, 'input_required');
    first.child.kill('SIGKILL');
    await scene.watch.allGone();
    const { url } = await listening(context, scene, new URL(first.url).port);
    const { status } = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-session-id': old.session ?? assert.fail(),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    });
    assert.equal(status, 404);
    const { requestState } = result ?? {};
    const again = { ...ask, requestState, inputResponses: { 'question-1': { action: 'decline' } } };
    assert.equal((await modern.request('tools/call', again)).error?.code, -32602);
    assert.equal((await modern.call('odd__echo')).result?.fine, true);
  },
);
