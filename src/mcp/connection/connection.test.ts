import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import type { StdioServerEntry } from '../config/config.ts';
import { secretTexts } from '../secrets/redact.ts';
import { connectServers } from '../servers.ts';
import { openTransport } from '../transport/transport.ts';
import { type ConnectOptions, connectServer, type ServerConnection } from './connection.ts';
import { initialize } from './initialize.ts';

/** Time limit, so that a test does not wait for ever. */
const limited = { timeout: 30_000 };

/** Every process of a test holds a socket to this server, so that its start and end are events. */
class Watch {
  readonly #alive = new Set<Socket>();
  readonly #server = createServer((socket) => {
    this.#alive.add(socket);
    socket.resume().on('error', () => {});
    socket.on('close', () => this.#alive.delete(socket));
  });
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async begin(context: TestContext): Promise<Watch> {
    const watch = new Watch(await mkdtemp(join(tmpdir(), 'toolfold-')));
    watch.#server.listen(0, '127.0.0.1');
    await once(watch.#server, 'listening');
    context.after(async () => {
      watch.#server.close();
      // Every process ends with its socket, also the processes of a failed test.
      for (const socket of watch.#alive) socket.destroy();
      await rm(watch.#folder, { recursive: true });
    });
    return watch;
  }

  /** Waits until this number of processes has started. */
  async started(count: number): Promise<void> {
    while (this.#alive.size < count) await once(this.#server, 'connection');
  }

  /** Waits until no process is left. */
  async allGone(): Promise<void> {
    while (this.#alive.size > 0) {
      const [socket] = this.#alive;
      if (socket !== undefined) await once(socket, 'close');
    }
  }

  /** A server: `tools` and `call(message)` are what it does, `before` runs first. */
  async entry(
    { before = '', tools = '[]', call = '', after = '' },
    env: Record<string, string> = {},
  ): Promise<StdioServerEntry> {
    const file = join(this.#folder, `server-${Math.random().toString(36).slice(2)}.cjs`);
    const { port } = this.#server.address() as AddressInfo;
    await writeFile(
      file,
      `const alive = require('node:net').connect(${port}, '127.0.0.1').unref();
      alive.on('error', () => {}).on('close', () => process.exit());
      const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
      const child = (source, options) =>
        require('node:child_process').spawn(process.execPath, ['-e',
          "require('node:net').connect(${port}, '127.0.0.1').on('close', () => process.exit());" +
          source], options);
      const start = () => require('node:readline').createInterface({ input: process.stdin })
        .on('line', (line) => {
          const message = JSON.parse(line);
          if (message.method === 'initialize') say({ id: message.id, result: {
            protocolVersion: '2025-11-25', capabilities: { tools: {} },
            serverInfo: { name: 'odd', version: '1' } } });
          if (message.method === 'tools/list') say({ id: message.id, result:
            typeof tools === 'function' ? tools(message.params) : { tools } });
          if (message.method === 'tools/call') call(message);
        });
      ${before}
      const tools = ${tools};
      const call = (message) => { ${call} };
      start();
      ${after}`,
    );
    const secrets = secretTexts(Object.values(env));
    const environment = new Map(Object.entries(env));
    return { kind: 'stdio', command: process.execPath, args: [file], env: environment, secrets };
  }
}

async function connect(
  context: TestContext,
  entry: StdioServerEntry,
  options?: ConnectOptions,
): Promise<ServerConnection> {
  const connection = connectServer('odd', entry, options);
  context.after(() => connection.close());
  await connection.settled;
  return connection;
}

function reasonOf(connection: ServerConnection): string {
  assert.ok(connection.state.kind === 'failed', `it is ${connection.state.kind}`);
  return connection.state.reason;
}

const neverEnds = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);";

// Runs tests in parallel, because they mostly wait for deadlines.
suite('one connection', { concurrency: 8 }, () => {
  test('lines on stdout that are not MCP become a warning', limited, async (context) => {
    const watch = await Watch.begin(context);
    const before = `console.log('Hello!\\n123\\n{"a":1}\\n[]\\n{"jsonrpc":"2.0"}');
    process.stdout.write(Buffer.from([0xff, 0xfe, 10])); console.log('x'.repeat(3e6));`;
    const connection = await connect(
      context,
      await watch.entry({ before, tools: "[{ name: 'a' }]" }),
    );
    assert.ok(connection.state.kind === 'ready');
    assert.equal(connection.state.listing.tools.length, 1);
    assert.deepEqual(connection.state.listing.warnings, [
      'it wrote 7 lines to stdout that are not MCP messages; they were ignored',
    ]);
    await connection.close();
    await watch.allGone();
  });

  test(
    'a server that prints no MCP message is ended, and the row shows its output',
    limited,
    async (context) => {
      const watch = await Watch.begin(context);
      const before = `console.log('I am no MCP server'); ${neverEnds} return;`;
      const connection = await connect(context, await watch.entry({ before }), { timeout: 4000 });
      assert.match(reasonOf(connection), /did not answer within 4 s; stdout has .*no MCP server/);
      await connection.close();
      await watch.allGone();
    },
  );

  test('a hanging server is ended with all it started', limited, async (context) => {
    const watch = await Watch.begin(context);
    const before = `child("process.on('SIGTERM', () => {})"); ${neverEnds} return;`;
    const entry = await watch.entry({ before });
    const stop = new AbortController();
    const connection = connectServer('odd', entry, { signal: stop.signal });
    await watch.started(2);
    stop.abort(new Error('enough'));
    await connection.settled;
    assert.match(reasonOf(connection), /connecting was stopped \(enough\)/);
    await connection.close();
    await watch.allGone();
  });

  test('a server that never lists its tools fails with that reason', limited, async (context) => {
    const watch = await Watch.begin(context);
    const entry = await watch.entry({
      tools: '() => { throw 0 }',
      before: "process.on('uncaughtException', () => {});",
    });
    const connection = await connect(context, entry, { timeout: 3000 });
    assert.match(reasonOf(connection), /did not list its tools within 3 s/);
  });

  test('a server that ends at once: code and stderr, without secrets', limited, async (context) => {
    const watch = await Watch.begin(context);
    const before = `console.error('\\u001b[31mbad key ' + process.env.KEY); process.exit(1);`;
    const connection = await connect(
      context,
      await watch.entry({ before }, { KEY: 'hunter2-hunter2' }),
    );
    assert.equal(
      reasonOf(connection),
      'its process ended with code 1; stderr ends with: bad key [redacted]',
    );
    assert.doesNotMatch(JSON.stringify(connection.state), /hunter2/);
  });

  test('what cannot be started', limited, async (context) => {
    const entry = {
      kind: 'stdio',
      command: '/nowhere/toolfold-x',
      args: [],
      env: new Map(),
      secrets: [],
    } as const;
    assert.match(reasonOf(await connect(context, entry)), /"\/nowhere\/toolfold-x".*was not found/);
  });

  test('a server that ignores a closed stdin and SIGTERM is ended', limited, async (context) => {
    const watch = await Watch.begin(context);
    const connection = await connect(context, await watch.entry({ before: neverEnds }));
    assert.equal(connection.state.kind, 'ready');
    await connection.close();
    await watch.allGone();
    assert.equal(reasonOf(connection), 'the host closed the connection');
  });

  test('processes that a server started end with it', limited, async (context) => {
    const watch = await Watch.begin(context);
    const before = "child('', { stdio: 'inherit' });";
    const connection = await connect(
      context,
      await watch.entry({ before, call: 'process.exit(7);' }),
    );
    await watch.started(2);
    await assert.rejects(connection.callTool('die', {}, {}));
    await watch.allGone();
    assert.match(reasonOf(connection), /closed the connection|ended with code 7/);
    await assert.rejects(connection.callTool('x', {}, {}), { code: 'connection-failed' });
  });

  test('a process that left the group cannot make closing hang', limited, async (context) => {
    const watch = await Watch.begin(context);
    const before =
      "child('process.stdin.resume()', { stdio: ['pipe', 'inherit', 'inherit'], detached: true });";
    const connection = await connect(context, await watch.entry({ before }));
    await connection.close();
  });

  test('two tools of one name, pages, and a cursor without end', limited, async (context) => {
    const watch = await Watch.begin(context);
    const twins = await connect(
      context,
      await watch.entry({
        tools: "[{ name: 'a', title: '1' }, { name: 'a', title: '2' }, { name: 'b' }]",
      }),
    );
    assert.ok(twins.state.kind === 'ready');
    assert.deepEqual(twins.state.listing.duplicates, ['a']);
    assert.deepEqual(twins.state.listing.tools, [{ name: 'a', title: '1' }, { name: 'b' }]);
    const paged = await connect(
      context,
      await watch.entry({
        tools: `({ cursor = '0' }) => ({ tools: [{ name: 't' + cursor }],
        ...(cursor === '2' ? {} : { nextCursor: String(Number(cursor) + 1) }) })`,
      }),
    );
    assert.ok(paged.state.kind === 'ready');
    assert.equal(paged.state.listing.tools.length, 3);
    const endless = await connect(
      context,
      await watch.entry({ tools: "() => ({ tools: [{ name: 'a' }], nextCursor: 'again' })" }),
    );
    assert.ok(endless.state.kind === 'ready');
    assert.match(endless.state.listing.warnings.join(), /repeats/);
  });

  test('every field of tools and results is kept as received', limited, async (context) => {
    const watch = await Watch.begin(context);
    const tool = {
      name: 'a',
      humanReadableDescription: 'x',
      annotations: { category: 'c', readOnlyHint: 'yes' },
      outputSchema: { type: 'object', required: ['never'] },
      inputSchema: { type: 'object', properties: { z: { $ref: '#/x' }, a: {} } },
    };
    const result = {
      content: [{ type: 'hologram', data: 1, extra: { deep: [null] } }],
      structuredContent: { other: true },
      isError: true,
      unknown: 'kept',
    };
    const entry = await watch.entry({
      tools: `[${JSON.stringify(tool)}]`,
      call: `say({ id: message.id, result: { ...${JSON.stringify(result)}, got: message.params } });`,
    });
    const connection = await connect(context, entry);
    assert.ok(connection.state.kind === 'ready');
    assert.equal(JSON.stringify(connection.state.listing.tools), JSON.stringify([tool]));
    const received = await connection.callTool('a', { x: [1] }, {});
    assert.deepEqual(received, { ...result, got: { name: 'a', arguments: { x: [1] } } });
  });

  test(
    'an aborted call is cancelled on the server, which stays usable',
    limited,
    async (context) => {
      const watch = await Watch.begin(context);
      const entry = await watch.entry({
        before: 'let hung;',
        call: `if (message.params.name === 'hang') { hung = message.id; alive.write('x'); }
      else say({ id: message.id, result: { hung } });`,
      });
      const connection = await connect(context, entry);
      const stop = new AbortController();
      const call = connection.callTool('hang', {}, { signal: stop.signal });
      stop.abort(new Error('enough'));
      await assert.rejects(call, /enough/);
      const after = await connection.callTool('ask', {}, {});
      assert.equal(typeof (after as { hung: unknown }).hung, 'number');
      await assert.rejects(connection.callTool('ask', {}, { signal: stop.signal }), /enough/);
    },
  );

  test(
    'only the safe part of the environment and the entry is inherited',
    limited,
    async (context) => {
      const watch = await Watch.begin(context);
      process.env.TOOLFOLD_TEST_SECRET = 'not for servers';
      context.after(() => {
        delete process.env.TOOLFOLD_TEST_SECRET;
      });
      const call = 'say({ id: message.id, result: { env: process.env } });';
      const connection = await connect(context, await watch.entry({ call }, { MINE: 'yes' }));
      const { env } = (await connection.callTool('a', {}, {})) as { env: Record<string, string> };
      assert.equal(env.MINE, 'yes');
      assert.equal(env.PATH, process.env.PATH);
      assert.equal(env.TOOLFOLD_TEST_SECRET, undefined);
    },
  );

  test("the SDK's transport, as on Windows", limited, async (context) => {
    const watch = await Watch.begin(context);
    const before = "console.error('hello from stderr');";
    const entry = await watch.entry({ before, tools: "[{ name: 'a' }]" }, { MINE: 'yes' });
    const opened = await openTransport(entry, 'win32');
    const client = new Client({ name: 'test', version: '1' });
    const signal = new AbortController().signal;
    const listing = await initialize(client, opened.transport, { signal, timeout: 10_000 });
    assert.equal(listing.tools.length, 1);
    assert.deepEqual(opened.stderr?.lastLines(1, []), ['hello from stderr']);
    await opened.close();
    await watch.allGone();
  });

  test('a failing and a hanging server do not affect the others', limited, async (context) => {
    const watch = await Watch.begin(context);
    const good = await watch.entry({ tools: "[{ name: 'a' }]" });
    const hanging = await watch.entry({ before: `${neverEnds} return;` });
    const unusable = { kind: 'unusable', reason: 'no command', remedy: 'Add one.' } as const;
    const order: string[] = [];
    const servers = new Map<string, StdioServerEntry | typeof unusable>([
      ['hanging', hanging],
      ['unusable', unusable],
      ['__proto__', good],
    ]);
    const settings = { servers: Object.fromEntries([['__proto__', { trusted: true }]]) };
    const connected = await connectServers(
      { servers, settings },
      {
        timeout: 6000,
        onProgress: ({ name, state }) => state !== 'connecting' && order.push(name),
      },
    );
    context.after(() => connected.close());
    assert.deepEqual(
      connected.servers.map(({ name, state, tools }) => [name, state, tools]),
      [
        ['hanging', 'failed', 0],
        ['unusable', 'failed', 0],
        ['__proto__', 'ready', 1],
      ],
    );
    assert.deepEqual(order, ['unusable', '__proto__', 'hanging']);
    assert.deepEqual(
      connected.groups.map(({ groupId, trusted, unavailable }) => [
        groupId,
        trusted,
        unavailable?.reason,
      ]),
      [
        ['mcp:hanging', undefined, 'it did not answer within 6 s'],
        ['mcp:unusable', undefined, 'no command'],
        ['mcp:__proto__', true, undefined],
      ],
    );
    await connected.close();
    await watch.allGone();
  });

  test('aborting connectServers throws the reason and leaves nothing', limited, async (context) => {
    const watch = await Watch.begin(context);
    const entry = await watch.entry({ before: `${neverEnds} return;` });
    const stop = new AbortController();
    const servers = new Map([
      ['a', entry],
      ['b', entry],
    ]);
    const connecting = connectServers({ servers, settings: undefined }, { signal: stop.signal });
    await watch.started(2);
    stop.abort(new Error('enough'));
    await assert.rejects(connecting, /enough/);
    await watch.allGone();
  });
});
