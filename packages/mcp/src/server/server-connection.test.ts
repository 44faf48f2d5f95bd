import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { observe, started } from '../../test/server/server-connection.test-support.ts';
import { Watch } from '../../test/server/watch.test-support.ts';
import type { StdioServerEntry } from '../config/config.ts';
import { readServerAndTools, type ServerListing } from '../connection/listing.ts';
import { createRelayClient } from '../connection/negotiate.ts';
import { connectServers } from '../pool/connect-servers.ts';
import { openTransport } from '../transport/transport.ts';
import type { ServerConnection } from './server-connection.ts';

/** Time limit, so that a test does not wait for ever. */
const limited = { timeout: 30_000 };

function listingOf(connection: ServerConnection): ServerListing {
  assert.equal(connection.state.kind, 'ready');
  return connection.listing ?? assert.fail('it has no listing');
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
    const connection = await started(
      context,
      await watch.entry({ before, tools: "[{ name: 'a' }]" }),
    );
    assert.equal(listingOf(connection).tools.length, 1);
    assert.deepEqual(listingOf(connection).warnings, [
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
      const connection = await started(context, await watch.entry({ before }), 4000);
      assert.match(reasonOf(connection), /did not answer within 4 s; stdout has .*no MCP server/);
      await connection.close();
      await watch.allGone();
    },
  );

  test('a hanging server is ended with all it started', limited, async (context) => {
    const watch = await Watch.begin(context);
    const before = `child("process.on('SIGTERM', () => {})"); ${neverEnds} return;`;
    const entry = await watch.entry({ before });
    const { connection } = observe(context, entry);
    const starting = connection.start();
    await watch.started(2);
    await connection.close();
    assert.equal((await starting).kind, 'closed');
    await watch.allGone();
  });

  test('a server that never lists its tools fails with that reason', limited, async (context) => {
    const watch = await Watch.begin(context);
    const entry = await watch.entry({
      tools: '() => { throw 0 }',
      before: "process.on('uncaughtException', () => {});",
    });
    const connection = await started(context, entry, 3000);
    assert.match(reasonOf(connection), /did not list its tools within 3 s/);
  });

  test('a server that ends at once: code and stderr, without secrets', limited, async (context) => {
    const watch = await Watch.begin(context);
    const before = `console.error('\\u001b[31mbad key ' + process.env.KEY); process.exit(1);`;
    const connection = await started(
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
    assert.match(reasonOf(await started(context, entry)), /"\/nowhere\/toolfold-x".*was not found/);
    const words = await started(context, { ...entry, command: `${process.execPath} x.js` });
    assert.ok(
      words.state.kind === 'failed' && /only the program in "command"/.test(words.state.remedy),
    );
    // The system refuses these at once.
    for (const refused of [{ args: ['x'.repeat(3e6)] }, { cwd: process.execPath }]) {
      const { state } = await started(context, { ...entry, command: process.execPath, ...refused });
      assert.ok(state.kind === 'failed' && /could not be started \(E/.test(state.reason));
      assert.match(state.remedy, /Install it, or correct/);
    }
  });

  test('a server that ignores a closed stdin and SIGTERM is ended', limited, async (context) => {
    const watch = await Watch.begin(context);
    const connection = await started(context, await watch.entry({ before: neverEnds }));
    assert.equal(connection.state.kind, 'ready');
    await connection.close();
    await watch.allGone();
    assert.equal(connection.state.kind, 'closed');
    await assert.rejects(connection.callTool('a', {}), /was closed/);
  });

  test('processes that a server started end with it', limited, async (context) => {
    const watch = await Watch.begin(context);
    const before = "child('', { stdio: 'inherit' });";
    const connection = await started(
      context,
      await watch.entry({ before, call: 'process.exit(7);' }),
    );
    await watch.started(2);
    await assert.rejects(connection.callTool('die', {}, {}));
    await watch.allGone();
    assert.match(reasonOf(connection), /closed the connection|ended with code 7/);
  });

  test('a process that left the group cannot make closing hang', limited, async (context) => {
    const watch = await Watch.begin(context);
    const before =
      "child('process.stdin.resume()', { stdio: ['pipe', 'inherit', 'inherit'], detached: true });";
    const connection = await started(context, await watch.entry({ before }));
    await connection.close();
  });

  test('two tools of one name, pages, and a cursor without end', limited, async (context) => {
    const watch = await Watch.begin(context);
    const twins = await started(
      context,
      await watch.entry({
        tools: "[{ name: 'a', title: '1' }, { name: 'a', title: '2' }, { name: 'b' }]",
      }),
    );
    assert.deepEqual(listingOf(twins).duplicates, ['a']);
    assert.deepEqual(listingOf(twins).tools, [{ name: 'a', title: '1' }, { name: 'b' }]);
    const paged = await started(
      context,
      await watch.entry({
        tools: `({ cursor = '0' }) => ({ tools: [{ name: 't' + cursor }],
        ...(cursor === '2' ? {} : { nextCursor: String(Number(cursor) + 1) }) })`,
      }),
    );
    assert.equal(listingOf(paged).tools.length, 3);
    const endless = await started(
      context,
      await watch.entry({ tools: "() => ({ tools: [{ name: 'a' }], nextCursor: 'again' })" }),
    );
    assert.match(listingOf(endless).warnings.join(), /repeats/);
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
    const connection = await started(context, entry);
    assert.equal(JSON.stringify(listingOf(connection).tools), JSON.stringify([tool]));
    const received = await connection.callTool('a', { x: [1] }, {});
    const { got, ...others } = received as { got: { _meta: object } };
    assert.deepEqual(others, result);
    const { _meta: meta, ...sent } = got;
    assert.deepEqual(sent, { name: 'a', arguments: { x: [1] } });
    assert.deepEqual(Object.keys(meta), ['progressToken']);
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
      const connection = await started(context, entry);
      const stop = new AbortController();
      const hung = watch.said();
      const call = connection.callTool('hang', {}, { signal: stop.signal });
      await hung;
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
      const connection = await started(context, await watch.entry({ call }, { MINE: 'yes' }));
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
    const opened = await openTransport(entry, { platform: 'win32' });
    const client = await createRelayClient('legacy');
    const signal = new AbortController().signal;
    await client.connect(opened.transport);
    assert.equal((await readServerAndTools(client, { signal, timeout: 10_000 })).tools.length, 1);
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
