import assert from 'node:assert/strict';
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { home } from '../../test/cli/process.test-support.ts';
import { loadConfig } from './configured-servers.ts';
import { progressOn } from './open-servers.ts';

test('settings are saved with existing settings, in the Toolfold file, or in a new file', async (context) => {
  const before = { cwd: process.cwd(), home: process.env.HOME };
  context.after(() => {
    process.chdir(before.cwd);
    process.env.HOME = before.home;
  });
  const servers = JSON.stringify({ mcpServers: { a: { command: 'x' } } });
  const settings = JSON.stringify({ toolfold: {} });
  const cases: [Record<string, string>, string][] = [
    [{}, 'toolfold.json'],
    [{ '.mcp.json': servers }, 'toolfold.json'],
    [{ 'toolfold.jsonc': servers, '.mcp.json': servers }, 'toolfold.jsonc'],
    [{ 'toolfold.json': settings, '.mcp.json': servers }, 'toolfold.json'],
    [{ '.mcp.json': servers.replace('{', '{"toolfold":{},') }, '.mcp.json'],
  ];
  for (const [files, expected] of cases) {
    const folder = await realpath(await home(context, files));
    process.chdir(folder);
    process.env.HOME = join(folder, 'home');
    const { settingsFile } = await loadConfig(undefined, { note: () => {} });
    assert.equal(settingsFile, join(folder, expected));
  }
  const folder = await home(context);
  await mkdir(join(folder, 'own'));
  const named = join(folder, 'own', 'c.json');
  await writeFile(named, servers);
  assert.equal((await loadConfig(named, { note: () => {} })).settingsFile, named);
});

test('the progress line names the servers that are still starting', () => {
  const lines: string[] = [];
  const terminal = { isInteractive: true, overwrite: (line: string) => lines.push(line) };
  const progress = progressOn(terminal as never, false);
  progress.update({ name: 'a', state: 'connecting', tools: 0, ms: 0 });
  progress.update({ name: 'a', state: 'ready', tools: 1, ms: 1 });
  progress.end();
  assert.deepEqual(lines, ['0 of 1 server done; waiting for a', '1 of 1 server done', '']);
});
