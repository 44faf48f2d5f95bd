// test: slow
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { realpath, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { hashText } from '@toolfold/core/internal/tool/hash.ts';
import { within } from '@toolfold/core/internal/values/promises.ts';
import { HttpClient, StdioClient } from '@toolfold/mcp/test/gateway/raw-client.test-support.ts';
import { Watch } from '@toolfold/mcp/test/server/watch.test-support.ts';
import { command } from '../../test/cli/in-process.test-support.ts';
import { environment, home, root, run } from '../../test/cli/process.test-support.ts';

const limited = { timeout: 60_000 };

const SOURCE = {
  tools: "['echo', 'die', 'wait'].map((name) => ({ name, inputSchema: { type: 'object' } }))",
  call: `const { id, params } = message;
    if (params.name === 'die') process.kill(process.pid, 'SIGKILL');
    if (params.name === 'echo') say({ id, result: { content: [], given: params.arguments } });
    if (params.name === 'wait') alive.write('waiting');`,
};

interface Scene {
  readonly watch: Watch;
  readonly folder: string;
  readonly serve: (...args: string[]) => StdioClient;
  readonly write: (servers: unknown) => Promise<void>;
  readonly entry: { command: string; args: readonly string[] };
}

async function open(context: TestContext): Promise<Scene> {
  const watch = await Watch.begin(context);
  const { command: program, args } = await watch.entry(SOURCE);
  const folder = await home(context);
  const write = (mcpServers: unknown): Promise<void> =>
    writeFile(join(folder, 'c.json'), JSON.stringify({ mcpServers }));
  await write({ odd: { command: program, args } });
  return {
    ...{ watch, folder, write },
    entry: { command: program, args },
    serve: (...more) => {
      const words = [process.execPath, join(root, 'packages/toolfold/bin/toolfold.js'), 'serve'];
      const config = ['--config', join(folder, 'c.json')];
      const env = environment(folder, {}) as NodeJS.ProcessEnv;
      const client = new StdioClient([...words, ...config, ...more], { era: 'legacy' }, env);
      context.after(() => client.child.kill('SIGKILL'));
      return client;
    },
  };
}

test(
  'promise 75: serve answers a client on stdin, and ends with it and its servers',
  limited,
  async (context) => {
    const { serve, watch } = await open(context);
    const client = serve();
    const { result } = await client.begin();
    assert.match(JSON.stringify(result), /"serverInfo":\{"name":"toolfold"/);
    const given = { z: 1, a: [null] };
    for (const [name, args] of [
      ['odd__echo', given],
      ['tool_call', { name: 'odd__echo', arguments: given }],
    ] as const)
      assert.deepEqual(await client.call(name, args), { result: { content: [], given } });
    await client.call('no\nsuch');
    await within(10_000, client.close());
    assert.equal(client.child.exitCode, 0);
    await watch.allGone();
    const lines = client.stderr.split('\n').filter((line) => / ms: /.test(line));
    assert.equal(lines.length, 3, 'one line for each call');
    for (const line of lines.slice(0, 2)) assert.match(line, /"odd__echo" \d+ ms: answered/);
    assert.match(lines[2] ?? '', /"no\\nsuch" \d+ ms: Unknown tool: no such\./);
  },
);

test('promise 75: a gateway that is killed leaves no server behind', limited, async (context) => {
  const { serve, watch } = await open(context);
  const client = serve();
  await client.begin();
  await client.call('odd__echo');
  client.child.kill('SIGKILL');
  await once(client.child, 'exit');
  await watch.allGone();
});

test(
  'a server that is killed costs its own call, and the next one starts it again',
  limited,
  async (context) => {
    const { serve } = await open(context);
    const client = serve('--mode', 'eager');
    await client.begin();
    const { result } = await client.call('odd__die');
    assert.equal(result?.isError, true);
    assert.match(JSON.stringify(result), /outcome of the call of die is unknown/);
    assert.ok((await client.call('odd__echo')).result?.given);
  },
);

test('the configuration is watched, and a broken one changes nothing', limited, async (context) => {
  const { serve, write, entry } = await open(context);
  const client = serve('--mode', 'eager');
  await client.begin();
  await client.call('odd__echo');
  await client.request('tools/list');
  await write({ odd: entry, more: entry });
  await client.notice('notifications/tools/list_changed');
  assert.ok((await client.call('more__echo')).result?.given);
  await write('{');
  assert.ok((await client.call('odd__echo')).result?.given);
});

test('a changed mode is for the next start, and a line says so', limited, async (context) => {
  const { serve, folder, entry } = await open(context);
  const client = serve();
  await client.begin();
  await client.call('odd__echo');
  const toolfold = { serve: { mode: 'eager' } };
  await writeFile(join(folder, 'c.json'), JSON.stringify({ mcpServers: { odd: entry }, toolfold }));
  while (!/The mode stays bridge\. Start the gateway again for eager\./.test(client.stderr))
    await once(client.child.stderr ?? assert.fail(), 'data');
  const { result } = await client.request('tools/list');
  assert.match(JSON.stringify(result), /tool_call/);
});

test('passthrough keeps its server when the configuration gets two', limited, async (context) => {
  const { serve, write, entry, watch } = await open(context);
  const client = serve('--mode', 'passthrough');
  const noted = async (text: RegExp): Promise<void> => {
    while (!text.test(client.stderr)) await once(client.child.stderr ?? assert.fail(), 'data');
  };
  await client.begin();
  await client.call('echo');
  await write({ more: entry, odd: entry });
  await noted(/mode passthrough is for one server.* has 2 servers\. Only odd is served\./);
  assert.ok((await client.call('echo')).result?.given);
  await write({ more: entry, other: entry });
  await noted(/has 2 servers\. No server is served\./);
  await watch.allGone();
  assert.match(JSON.stringify(await client.call('echo')), /There is no server\./);
});

test('passthrough ends a server that was disabled or removed', limited, async (context) => {
  const { serve, write, entry, watch } = await open(context);
  const client = serve('--mode', 'passthrough');
  await client.begin();
  for (const servers of [{ odd: { ...entry, disabled: true } }, {}]) {
    assert.ok((await client.call('echo')).result?.given);
    let { length } = client.notices;
    await write(servers);
    await client.notice('notifications/tools/list_changed', length);
    await watch.allGone();
    assert.match(JSON.stringify(await client.call('echo')), /There is no server\./);
    ({ length } = client.notices);
    await write({ odd: entry });
    await client.notice('notifications/tools/list_changed', length);
  }
});

test('serve over HTTP, with a token from a file', limited, async (context) => {
  const { serve, folder } = await open(context);
  const token = '0123456789abcdef0123';
  await writeFile(join(folder, 'token'), `${token}\n`);
  const process_ = serve('--http', '0', '--token-file', join(folder, 'token'));
  while (!/Listening on (\S+)/.test(process_.stderr))
    await once(process_.child.stderr ?? assert.fail(), 'data');
  const url = /Listening on (\S+)/.exec(process_.stderr)?.[1] ?? '';
  const refused = await fetch(url, { method: 'POST', body: '{}' });
  assert.equal(refused.status, 401);
  const client = new HttpClient(url, { era: 'modern' }, { authorization: `Bearer ${token}` });
  context.after(() => client.close());
  assert.ok((await client.call('odd__echo', { a: 1 })).result?.given);
  process_.child.kill('SIGTERM');
  await once(process_.child, 'exit');
});

test('wrong use says what to do', limited, async (context) => {
  const entry = { command: 'node', args: [] };
  const one = { mcpServers: { one: entry, two: entry } };
  const folder = await home(context, { 'c.json': JSON.stringify(one), token: 'short' });
  const taken = createServer().listen(0, '127.0.0.1');
  context.after(() => taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['--mode', 'passthrough'], /for one server, and the configuration has 2 servers/],
    [['--mode', 'odd'], /Allowed choices are/],
    [['--budget', '0'], /above 0, or none/],
    [['--budget', '0x10'], /above 0, or none/],
    [['--http', 'somewhere'], /not a port/],
    [['--http', '0.0.0.0:0'], /TOOLFOLD_SERVE_TOKEN/],
    [['--http', String(port)], /The port \d+ is taken.*another \[HOST:\]PORT/s],
    [['--http', '0', '--token-file', 'token'], /fewer than 16/],
    [['--config', 'none.json'], /none.json/],
  ];
  for (const [args, expected] of cases) {
    const { code, stderr } = await command(folder, ['serve', '--config', 'c.json', ...args]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, expected);
  }
});

test('a gateway that another one starts within itself ends at once', limited, async (context) => {
  const one = { mcpServers: { one: { command: 'none', args: [] } } };
  const folder = await home(context, { 'c.json': JSON.stringify(one) });
  const args = ['serve', '--config', 'c.json'];
  await symlink(join(folder, 'c.json'), join(folder, 'linked.json'));
  const above = (file: string): string => hashText(join(folder, file), 16);
  for (const chain of [above('c.json'), `${above('other.json')},${above('c.json')}`]) {
    const env = { TOOLFOLD_SERVING: chain };
    const { code, stderr } = await run(folder, ['serve', '--config', 'linked.json'], { env });
    assert.equal(code, 2);
    assert.match(stderr, /was started by itself, through another gateway/);
  }
  const { code } = await run(folder, args, { env: { TOOLFOLD_SERVING: above('other.json') } });
  assert.equal(code, 0);
});

test('servers learn which gateways started them', limited, async (context) => {
  const { serve, watch, write, folder } = await open(context);
  const call =
    'say({ id: message.id, result: { content: [], env: process.env.TOOLFOLD_SERVING } });';
  const { command: program, args } = await watch.entry({ tools: "[{ name: 'env' }]", call });
  await write({ odd: { command: program, args } });
  const client = serve('--mode', 'eager');
  await client.begin();
  const { result } = await client.call('odd__env');
  assert.equal(result?.env, hashText(await realpath(join(folder, 'c.json')), 16));
});

test('a gateway does not start itself', limited, async (context) => {
  const { serve, write, folder } = await open(context);
  const self = (...more: string[]): object => ({
    command: process.execPath,
    args: ['/none/toolfold.js', 'serve', ...more],
  });
  const [config, other] = ['c.json', 'other.json'].map((name) => join(folder, name));
  await write({
    bare: self(),
    same: self('--config', config ?? ''),
    nested: self(`--config=${other}`),
  });
  const client = serve();
  await client.begin();
  const { result } = await client.request('tools/list');
  const text = JSON.stringify(result).replaceAll('\\n', '\n');
  assert.match(text, /bare__.*it is this gateway itself/);
  assert.match(text, /same__.*it is this gateway itself/);
  assert.doesNotMatch(text, /nested__[^\n]*it is this gateway itself/);
});
