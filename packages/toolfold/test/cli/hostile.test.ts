// test: slow, first, harm
import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { outcomes, secretIn } from '@toolfold/mcp/test/hostile.test-support.ts';
import { ENV_SECRET, FLAG_SECRET } from '@toolfold/mcp/test/hostile-server.test-support.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { compileCache } from '@toolfold/testing/test/compile-cache.test-support.ts';
import { KEY, limited, MODEL } from '../cli-agent/run.test-support.ts';
import { home, run } from './process.test-support.ts';

const program = fileURLToPath(
  new URL('../../../mcp/test/hostile-server.test-support.ts', import.meta.url),
);

const entry = (mode: string): object => ({
  command: process.execPath,
  args: [program, mode, `--api-key=${FLAG_SECRET}`],
  env: { SECRET: ENV_SECRET, ...compileCache },
});

test('inspect: all hostile servers at once, in bounded memory', limited, async (context) => {
  const servers = Object.fromEntries(Object.keys(outcomes).map((mode) => [mode, entry(mode)]));
  const folder = await home(context, { 'c.json': JSON.stringify({ mcpServers: servers }) });
  const args = [
    'inspect',
    '--config',
    'c.json',
    '--json',
    '--save',
    'captures',
    '--timeout',
    '100',
  ];
  const node = ['--max-old-space-size=500'];
  const { code, stdout, stderr } = await run(folder, args, { node });
  assert.equal(code, 3, stderr);
  const rows: { name: string; state: string; duplicates?: string[] }[] = JSON.parse(stdout).servers;
  const states = Object.fromEntries(rows.map(({ name, state }) => [name, state]));
  for (const [mode, { failed }] of Object.entries(outcomes)) {
    assert.equal(states[mode], failed ? 'failed' : 'ready', mode);
  }
  for (const row of rows) assert.equal(secretIn(JSON.stringify(row)), undefined, row.name);
  assert.equal(secretIn(stderr), undefined);
  const files = await readdir(join(folder, 'captures'));
  assert.equal(files.length, rows.filter(({ state }) => state === 'ready').length);
  for (const file of files) {
    assert.equal(secretIn(await readFile(join(folder, 'captures', file), 'utf8')), undefined, file);
  }
});

test(
  'run: failures are reported to the model and the user, without secrets',
  limited,
  async (context) => {
    const failing = {
      told: 'call: an error with secrets',
      shown: 'call: a result that is an error with secrets',
      none: 'call: result null',
      deep: 'call: a message 100,000 levels deep',
    };
    const names = [...Object.keys(failing), 'healthy'];
    const model = await startModelServer({
      script: [
        { calls: names.map((name) => ({ name: `${name}__fine`, arguments: {} })) },
        { text: 'Done.' },
      ],
    });
    context.after(() => model.close());
    const broken = {
      unlisted: 'list: an error with secrets',
      schema: 'list: a schema 3,000 levels deep',
    };
    const all = Object.entries({ ...failing, ...broken, healthy: 'healthy' });
    const mcpServers = Object.fromEntries(all.map(([name, mode]) => [name, entry(mode)]));
    const folder = await home(context);
    await writeFile(join(folder, 'c.json'), JSON.stringify({ mcpServers }));
    const flags = ['--config', 'c.json', '--allow', 'mcp:*', '--model', MODEL];
    const args = ['run', ...flags, '--base-url', model.baseUrl('anthropic'), 'Go.'];
    const { code, stdout, stderr } = await run(folder, args, { env: { ANTHROPIC_API_KEY: KEY } });
    assert.equal(code, 0, stderr);
    assert.equal(stdout, 'Done.\n');
    assert.match(stderr, /^unlisted is not ready: it answered with an error: no \[redacted\]/m);
    assert.match(stderr, /^schema: nested more than 200 levels deep, left out: deep\.$/m);
    const sent = model.requests.at(-1)?.raw ?? '';
    for (const words of [/its result is null/, /was lost while it ran/, /\[redacted\]/, /"fine"/]) {
      assert.match(sent, words);
    }
    assert.equal(secretIn(sent), undefined);
    assert.equal(secretIn(`${stdout}${stderr}`), undefined);
  },
);
