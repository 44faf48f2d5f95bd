// test: slow
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { StdioClient } from '@toolfold/mcp/test/gateway/raw-client.test-support.ts';
import { command } from '../../test/cli/in-process.test-support.ts';
import { environment, home, root } from '../../test/cli/process.test-support.ts';
import { scene as runScene } from '../../test/cli-agent/run.test-support.ts';
import { configOf, Journal } from '../../test/servers/scripted-server.test-support.ts';

const limited = { timeout: 60_000 };

/** Rules of `exposure` that match no tool, with what is meant. */
const wrong: readonly (readonly [rule: string, meant: string])[] = [
  ['github__crate_issue', 'github__create_issue'],
  ['mcp:github/crate_issue', 'mcp:github/create_issue'],
  ['mcp:gitub/create_issue', 'mcp:github/create_issue'],
  ['mcp:gitub/*', 'mcp:github/*'],
  ['mcp:gitub', 'mcp:github'],
];
const right = {
  'github__create_*': 'deferred',
  'MCP:GITHUB/PURGE': 'hidden',
  'mcp:off/*': 'hidden',
  off__x: 'deferred',
};
const exposure = { ...right, ...Object.fromEntries(wrong.map(([rule]) => [rule, 'hidden'])) };

async function scene(context: TestContext, rules: object = exposure): Promise<string> {
  const journal = await Journal.open(context);
  const github = journal.entry('github', [
    { name: 'create_issue', description: 'Creates an issue.' },
    { name: 'purge', description: 'Deletes all.' },
  ]);
  const off = { ...journal.entry('off', []), disabled: true };
  return home(context, { 'c.json': configOf({ github, off }, { exposure: rules }) });
}

function check(text: string): void {
  const lines = text.split('\n').filter((line) => /matches no tool/.test(line));
  assert.equal(lines.length, wrong.length, text);
  for (const [rule, meant] of wrong)
    assert.ok(
      lines.some((line) =>
        line.includes(`"${rule}" in "exposure" matches no tool. Did you mean "${meant}"?`),
      ),
      `${rule}\n${lines.join('\n')}`,
    );
}

test('list and call name rules that match no tool, once each', limited, async (context) => {
  const folder = await scene(context);
  for (const words of [['list'], ['list', 'github'], ['call', 'github.create_issue']]) {
    const { stderr } = await command(folder, [...words, '--config', 'c.json']);
    check(stderr);
  }
  const fine = await scene(context, right);
  const { stderr } = await command(fine, ['list', '--config', 'c.json']);
  assert.doesNotMatch(stderr, /matches no tool/);
});

test(
  'a rule is judged only when the servers that it may mean have listed their tools',
  limited,
  async (context) => {
    const journal = await Journal.open(context);
    const github = journal.entry('github', [{ name: 'a', description: 'A.' }]);
    const broken = { command: process.execPath, args: ['-e', 'process.exit(1)'] };
    const rules = { 'mcp:broken/x': 'hidden', '*__zzz': 'hidden', mcp__github__a: 'hidden' };
    const folder = await home(context, {
      'c.json': configOf({ github, broken }, { exposure: rules }),
    });
    const { stderr } = await command(folder, ['list', '--config', 'c.json', '--timeout', '20']);
    const found = [...stderr.matchAll(/The rule "(.*?)" in/g)].map(([, rule]) => rule);
    assert.deepEqual(found, ['mcp__github__a']);
  },
);

test('serve names rules that match no tool, once each', limited, async (context) => {
  const folder = await scene(context);
  const words = [process.execPath, join(root, 'packages/toolfold/bin/toolfold.js'), 'serve'];
  const env = environment(folder, {}) as NodeJS.ProcessEnv;
  const config = ['--config', join(folder, 'c.json'), '--mode', 'eager'];
  const client = new StdioClient([...words, ...config], { era: 'legacy' }, env);
  context.after(() => client.child.kill('SIGKILL'));
  await client.begin();
  await client.request('tools/list');
  await client.call('github__create_issue');
  await client.request('tools/list');
  await client.close();
  check(client.stderr);
});

test('run names rules that match no tool, once each', limited, async (context) => {
  const rules = { 'mcp:flies/*': 'hidden', files__raed_text_file: 'hidden' };
  const { ask, folder } = await runScene(context, [{ text: 'Yes.' }, { text: 'Yes.' }], {
    exposure: rules,
  });
  for (const isFirst of [true, false]) {
    await writeFile(join(folder, 'note.txt'), String(isFirst));
    const { stderr } = await ask('Hello');
    const lines = stderr.split('\n').filter((line) => /matches no tool/.test(line));
    assert.equal(lines.length, 2, stderr);
    assert.ok(
      lines.some((line) => /"mcp:flies\/\*" .* "mcp:files\/\*"\?/.test(line)),
      stderr,
    );
    assert.ok(
      lines.some((line) => /"files__raed_text_file" .* "files__read/.test(line)),
      stderr,
    );
  }
});
