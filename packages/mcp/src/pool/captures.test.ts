import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { lstat, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { measure } from '@toolfold/core/internal/estimate.ts';
import { createToolLayer } from '@toolfold/core/internal/session/layer.ts';
import type { ServerEntry } from '../config/config.ts';
import { secretTexts } from '../redact.ts';
import { readCaptures, saveCapture } from './captures.ts';

const signal = new AbortController().signal;

async function folder(context: TestContext, files: Record<string, unknown> = {}): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'toolfold-'));
  context.after(() => rm(path, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    await writeFile(join(path, name), text);
  }
  return path;
}

function ready(name: string, entry: ServerEntry, text = 'x'): Parameters<typeof saveCapture>[1] {
  const tools = [
    { name: 'a', description: text, annotations: { odd: 1 }, inputSchema: { b: 1, a: 2 } },
  ];
  const serverInfo = { name: 'n', version: '3', title: 'T' };
  return {
    name,
    entry,
    listing: { tools, serverInfo, duplicates: [], warnings: [] },
  };
}

const plain: ServerEntry = { kind: 'stdio', command: 'c', args: [], env: new Map(), secrets: [] };

test('captured lists become rows and groups, without anything to run', async (context) => {
  const path = await folder(context, {
    'b.json': { server: 'beta', tools: [{ name: 'x', inputSchema: { type: 'object' } }] },
    'a.json': { server: 'alpha', serverInfo: { title: 'Alpha' }, instructions: 'Hi.', tools: [] },
    'README.md': 'no capture',
  });
  const { servers, groups } = await readCaptures(path);
  assert.deepEqual(
    servers.map(({ name, state, tools }) => [name, state, tools]),
    [
      ['alpha', 'ready', 0],
      ['beta', 'ready', 1],
    ],
  );
  assert.equal(groups[0]?.displayName, 'Alpha');
  const tools = await groups[1]?.loader({ signal });
  assert.equal(tools?.[0]?.name, 'x');
  assert.equal(tools?.[0]?.execute, undefined);
});

test('a malformed file fails only its own row', async (context) => {
  const path = await folder(context, {
    'broken.json': '{',
    'list.json': [],
    'none.json': { server: 'none' },
    'ok.json': { server: 'ok', tools: [{ name: 'a' }] },
    'ok2.json': { server: 'ok', tools: [] },
  });
  const { servers, groups } = await readCaptures(path);
  assert.deepEqual(
    servers.map(({ name, state }) => [name, state]),
    [
      ['broken', 'failed'],
      ['list', 'failed'],
      ['none', 'failed'],
      ['ok', 'ready'],
      ['ok2.json', 'failed'],
    ],
  );
  assert.match(servers[0]?.reason ?? '', /cannot be read/);
  assert.match(servers[2]?.reason ?? '', /no list of tools/);
  assert.match(servers[4]?.reason ?? '', /ok\.json holds the same server/);
  assert.equal(new Set(groups.map(({ groupId }) => groupId)).size, 5);
});

test('a folder that is not there', async () => {
  await assert.rejects(readCaptures('/nowhere/toolfold'), { code: 'invalid-option' });
});

test('a saved capture is read back unchanged', async (context) => {
  const path = await folder(context);
  const names = ['plain', 'a/b', '..', '__proto__', 'ü n', '', '.json', '%', '😀', '😁', '\ud800'];
  names.push('\ud801', 'é'.repeat(300), `${'é'.repeat(300)}a`);
  for (const name of names) await saveCapture(path, ready(name, plain));
  const { servers, groups } = await readCaptures(path);
  assert.deepEqual(servers.map(({ name }) => name).sort(), [...names].sort());
  const tools = await groups[0]?.loader({ signal });
  assert.equal(JSON.stringify(tools?.[0]?.inputSchema), '{"b":1,"a":2}');
});

test('a folder that is a file cannot be saved to', async (context) => {
  const file = join(await folder(context, { 'a.txt': 'x' }), 'a.txt');
  await assert.rejects(saveCapture(file, ready('one', plain)), {
    code: 'invalid-option',
    message: /a\.txt.* cannot be written/,
  });
});

test('no secret is written, wherever it stands', async (context) => {
  const path = await folder(context);
  const env = new Map([
    ['API_KEY', 'hunter2-hunter2'],
    ['PIN', '1234'],
  ]);
  const stdio: ServerEntry = {
    kind: 'stdio',
    command: 'run',
    args: ['--token', 'tok-1', '--api-key=tok-2', 'postgres://u:tok-3@host/db', '--port', '80'],
    env,
    secrets: secretTexts(env.values()),
  };
  const file = await saveCapture(path, ready('one', stdio, 'the key is hunter2-hunter2'));
  const text = await readFile(file, 'utf8');
  assert.doesNotMatch(text, /hunter2|1234|tok-/);
  assert.deepEqual(JSON.parse(text).start, {
    command: 'run',
    args: ['--token', 'dummy', '--api-key=dummy', 'postgres://dummy@host/db', '--port', '80'],
    env: { API_KEY: 'dummy', PIN: 'dummy' },
  });
  const url = 'https://u:tok-4@example.com/tok-5/mcp?key=tok-6';
  const http: ServerEntry = { kind: 'http', url, headers: new Map([['K', 'tok-7']]), secrets: [] };
  const web = await readFile(await saveCapture(path, ready('two', http)), 'utf8');
  assert.doesNotMatch(web, /tok-/);
  assert.match(web, /https:\/\/example\.com"/);
});

test('a server that is not ready cannot be saved', async () => {
  await assert.rejects(saveCapture('/nowhere', { name: 'a', entry: plain, listing: undefined }), {
    code: 'connection-failed',
  });
});

/** A server with this number of tools, each with a schema of about a hundred tokens. */
const many = (server: string, count: number): object => ({
  server,
  tools: Array.from({ length: count }, (_, index) => ({
    name: `tool_${index}`,
    description: 'Finds what there is to be found, in the order in which it was put there.',
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 8 }, (_, at) => [`field_${at}`, { type: 'string' }]),
      ),
    },
  })),
});

for (const [what, counts, strategy] of [
  ['many small schemas that come to little', [10, 10, 2], 'eager'],
  ['schemas worth deferring', [30, 30], 'dispatch'],
] as const) {
  test(`auto gets the same figures before and after loading: ${what}`, async (context) => {
    const files = counts.map((count, at) => [`${at}.json`, many(`s${at}`, count)]);
    const { groups } = await readCaptures(await folder(context, Object.fromEntries(files)));
    const layer = createToolLayer({ groups });
    assert.equal(layer.session().explain().strategy, strategy);
    const { auto, totals } = await measure(layer);
    assert.equal(auto.strategy, strategy);
    assert.equal(
      groups.reduce((sum, group) => sum + (group.schemaTokens ?? 0), 0),
      totals.schemaTokens,
    );
  });
}

const catalogs = fileURLToPath(new URL('../../../../../shared/catalogs', import.meta.url));
const skip = existsSync(catalogs) ? false : 'the folder ../shared/catalogs is absent';

test('the lists of 36 real servers', { skip }, async () => {
  const { servers, groups } = await readCaptures(catalogs);
  assert.equal(servers.length, 36);
  assert.ok(servers.every(({ state }) => state === 'ready'));
  assert.equal(
    servers.reduce((sum, { tools }) => sum + tools, 0),
    1485,
  );
  assert.equal(groups.length, 36);
  for (const group of groups) {
    const layer = createToolLayer({ groups: [group] });
    const { strategy } = layer.session().explain();
    assert.equal(strategy, (await measure(layer)).auto.strategy, group.groupId);
  }
});

test('a link in the folder is replaced, and what it leads to stays', async (context) => {
  const path = await folder(context, { precious: 'mine' });
  for (const target of ['precious', 'nothing']) {
    await symlink(target, join(path, 's.json'));
    await saveCapture(path, ready('s', plain));
    assert.ok((await lstat(join(path, 's.json'))).isFile());
    assert.equal(await readFile(join(path, 'precious'), 'utf8'), 'mine');
    assert.deepEqual((await readdir(path)).sort(), ['precious', 's.json']);
    await rm(join(path, 's.json'));
  }
});
