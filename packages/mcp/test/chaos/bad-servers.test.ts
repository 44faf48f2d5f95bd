// test: slow
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { StdioServerEntry } from '../../src/config/config.ts';
import type { ListedTool } from '../../src/connection/listing.ts';
import { observe } from '../server/server-connection.test-support.ts';
import { Watch } from '../server/watch.test-support.ts';

const limited = { timeout: 30_000 };
const answer = 'say({ id: message.id, result: { content: [] } });';
/** Tells the test that a call has arrived. */
const tell = "alive.write('x');";

/** A server, what its second call does, and what comes of calls one to three. */
interface Day {
  readonly source: Parameters<Watch['entry']>[0];
  readonly trusted?: boolean;
  readonly lifecycle?: StdioServerEntry['lifecycle'];
  /** What each call in a row comes to: `fine`, or the beginning of its error. */
  readonly calls: readonly ('fine' | RegExp)[];
}

const unknown = /The outcome of the call of a is unknown/;
const safe = "[{ name: 'a', annotations: { readOnlyHint: true } }]";
const unsafe = "[{ name: 'a' }]";
/** The number of calls in this process. */
const counted = 'let calls = 0;';

const days: Readonly<Record<string, Day>> = {
  'it dies at every third call, which is not repeated': {
    source: {
      tools: unsafe,
      before: counted,
      call: `if (++calls === 3) process.exit(1); ${answer}`,
    },
    calls: ['fine', 'fine', unknown, 'fine', 'fine', unknown, 'fine'],
  },
  'it dies at every third call, which is trusted and only reads': {
    source: { tools: safe, before: counted, call: `if (++calls === 3) process.exit(1); ${answer}` },
    trusted: true,
    calls: ['fine', 'fine', 'fine', 'fine', 'fine'],
  },
  'it dies at every call: a trusted call is repeated once, and then the outcome is unknown': {
    source: { tools: safe, call: 'process.exit(1);' },
    trusted: true,
    calls: [unknown],
  },
  'it says that it only reads, but is not trusted': {
    source: { tools: safe, before: counted, call: `if (++calls === 3) process.exit(1); ${answer}` },
    calls: ['fine', 'fine', unknown, 'fine'],
  },
  'it answers after its time': {
    source: {
      tools: unsafe,
      before: `${counted} const late = [];`,
      call: `if (++calls === 1) late.push(message); else {
        for (const one of late) say({ id: one.id, result: { content: [], late: true } });
        ${answer}
      }`,
    },
    lifecycle: { callTimeout: 300 },
    calls: [/a of the MCP server odd did not answer within 0.3 s/, 'fine', 'fine'],
  },
  'one tool has a shorter time': {
    source: { tools: unsafe, call: '' },
    lifecycle: {
      toolTimeouts: [
        ['*', 100_000],
        ['a*', 200],
      ],
    },
    calls: [/did not answer within 0.2 s/],
  },
  'an error of its own with the status of another service': {
    source: {
      tools: unsafe,
      before: counted,
      call: `calls += 1; say({ id: message.id, error: { code: -32000, message: 'not found ' + calls,
        data: { status: calls === 2 ? 503 : 404 } } });`,
    },
    calls: [/not found 1/, /not found 2/, /not found 3/],
  },
  'it dies and a process outside its group keeps its output open': {
    source: {
      tools: unsafe,
      before: `const env = { ...process.env }; delete env.TOOLFOLD_STARTED_BY;
        const keep = () => child('process.stdin.resume()', { stdio: ['pipe', 1, 2], detached: true, env });`,
      call: "keep().once('spawn', () => process.exit(1));",
    },
    calls: [unknown],
  },
  'it reads nothing after its list': {
    source: {
      tools: `() => { require('node:fs').closeSync(0); setInterval(() => {}, 1000); return { tools: ${unsafe} }; }`,
    },
    calls: [/a was not called: the MCP server odd did not read the call \(.*EPIPE\)\. Start/],
  },
  'it prints rubbish between the answers': {
    source: {
      tools: unsafe,
      call: `console.log('{"jsonrpc":'); console.log('\\u0000\\u0001 rubbish'); ${answer}`,
    },
    calls: ['fine', 'fine'],
  },
};

suite('bad days of a server over stdio', { concurrency: 4 }, () => {
  for (const [name, { source, trusted = false, lifecycle = {}, calls }] of Object.entries(days)) {
    test(`promise 54: ${name}`, limited, async (context) => {
      const watch = await Watch.begin(context);
      const entry = { ...(await watch.entry(source)), lifecycle };
      const { connection } = observe(context, entry, { isTrusted: () => trusted });
      for (const expected of calls) {
        const call = connection.callTool('a', {});
        if (expected === 'fine') await call;
        else await assert.rejects(call, expected);
      }
      await connection.close();
    });
  }

  test(
    'promise 55: it changes its list while it is called, and renames a tool',
    limited,
    async (context) => {
      const watch = await Watch.begin(context);
      const entry = await watch.entry({
        before: "let list = [{ name: 'a', description: 'old' }, { name: 'b' }];",
        tools: '() => ({ tools: list })',
        call: `if (message.params.name === 'b') list = [{ name: 'a', description: 'new' }, { name: 'c' }];
        say({ method: 'notifications/tools/list_changed' }); ${answer}`,
      });
      const listed = Promise.withResolvers<void>();
      const { connection, events } = observe(context, entry, {
        onEvent: (event) => event.kind === 'tools-changed' && listed.resolve(),
      });
      await connection.start();
      const toolOf = (name: string): ListedTool =>
        connection.listing?.tools.find((tool) => tool.name === name) ?? assert.fail(name);
      const [a, b] = [toolOf('a'), toolOf('b')];
      await connection.callTool(b, {});
      await listed.promise;
      await assert.rejects(connection.callTool(a, {}), /is no longer the one that was listed/);
      await assert.rejects(connection.callTool(b, {}), /no longer has the tool b/);
      await connection.callTool(toolOf('a'), {});
      await connection.callTool(toolOf('c'), {});
      assert.deepEqual(events, []);
    },
  );

  test(
    'a storm of 1,000 changes of its list in a second is few listings',
    limited,
    async (context) => {
      const watch = await Watch.begin(context);
      const entry = await watch.entry({
        before: 'let listings = 0; let sent = 0;',
        tools: `() => { listings += 1; return { tools: [{ name: 'a' }, { name: 'b' + listings }] }; }`,
        after: `const storm = setInterval(() => {
        for (let n = 0; n < 100; n += 1) say({ method: 'notifications/tools/list_changed' });
        if ((sent += 100) === 1000) { clearInterval(storm); ${tell} }
      }, 100);`,
        call: 'say({ id: message.id, result: { listings } });',
      });
      const { connection } = observe(context, entry);
      const over = watch.said();
      await connection.start();
      await over;
      const { listings } = (await connection.callTool('a', {})) as { listings: number };
      assert.ok(listings >= 2 && listings <= 5, `${listings} listings`);
    },
  );

  test('at most maxCalls run at once, and the others wait in order', limited, async (context) => {
    const watch = await Watch.begin(context);
    const entry = await watch.entry({
      tools: unsafe,
      before: 'let running = 0; let most = 0; const order = [];',
      call: `most = Math.max(most, ++running); order.push(message.params.arguments.n);
        setTimeout(() => { running -= 1;
          say({ id: message.id, result: { most, order } }); }, 10);`,
    });
    const limitedEntry = { ...entry, lifecycle: { maxCalls: 2 } };
    const { connection } = observe(context, limitedEntry);
    const calls = Array.from({ length: 7 }, (_, n) => connection.callTool('a', { n }));
    const results = (await Promise.all(calls)) as { most: number; order: number[] }[];
    assert.equal(results.at(-1)?.most, 2);
    assert.deepEqual(results.at(-1)?.order, [0, 1, 2, 3, 4, 5, 6]);
  });

  test(
    'it is stopped when idle and started by the next call; keepAlive keeps it',
    limited,
    async (context) => {
      const watch = await Watch.begin(context);
      const entry = await watch.entry({
        tools: unsafe,
        call: 'say({ id: message.id, result: { pid: process.pid } });',
      });
      const idle = idleWatch();
      const { connection } = observe(context, entry, { idleTime: 50, onEvent: idle.onEvent });
      const kept = observe(context, { ...entry, lifecycle: { keepAlive: true } }, { idleTime: 50 });
      const keptFirst = await kept.connection.callTool('a', {});
      const first = await connection.callTool('a', {});
      await idle.stopped;
      assert.equal(connection.state.kind, 'idle');
      assert.notDeepEqual(await connection.callTool('a', {}), first);
      assert.deepEqual(await kept.connection.callTool('a', {}), keptFirst);
    },
  );

  test(
    'it dies while nobody calls, and the next call starts it again',
    limited,
    async (context) => {
      const watch = await Watch.begin(context);
      const entry = await watch.entry({
        tools: unsafe,
        call: answer,
        after: "process.stdin.once('data', () => setTimeout(() => process.exit(3), 300));",
      });
      const died = Promise.withResolvers<void>();
      const { connection } = observe(context, entry, {
        onEvent: (event) => event.kind === 'state' && event.to.kind === 'failed' && died.resolve(),
      });
      await connection.start();
      await died.promise;
      assert.ok(connection.state.kind === 'failed' && /code 3/.test(connection.state.reason));
      await connection.callTool('a', {});
    },
  );
});

function idleWatch(): {
  stopped: Promise<void>;
  onEvent: (event: { kind: string; to?: { kind: string } }) => void;
} {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { stopped: promise, onEvent: (event) => event.to?.kind === 'idle' && resolve() };
}
