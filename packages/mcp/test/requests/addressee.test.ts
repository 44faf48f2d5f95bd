import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CallHost } from '@toolfold/core/internal/tool/call-host.ts';
import { CallsInFlight } from '../../src/requests/calls-in-flight.ts';
import { Watch } from '../server/watch.test-support.ts';
import { asked, jsonOf } from './requests.test-support.ts';

const limited = { timeout: 60_000 };
const form = '{ message: "Who?", requestedSchema: { type: "object", properties: {} } }';

/**
 * A server of 2025-11-25 that asks although nothing was announced: `ask` asks at once, `later` asks when
 * `go` is called, and `hold` ends then. The answers are the result.
 */
const SOURCE = {
  tools: "['ask', 'later', 'go', 'hold', 'crash', 'many', 'methods'].map((name) => ({ name }))",
  before: `const asked = new Map(); let waiting = [];
    const methods = [];
    const answer = (id, value) =>
      say({ id, result: { content: [{ type: 'text', text: JSON.stringify(value) }] } });
    const ask = (id, method, params, then) => {
      asked.set(id, then); say({ id, method, params }); };
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, result, error } = JSON.parse(line);
      if (method) methods.push(method);
      if (result || error) { const then = asked.get(id); asked.delete(id); then?.(result ?? error); }
    });`,
  call: `const { id, params: { name, arguments: given } } = message;
    const { method = 'elicitation/create', params = ${form} } = given;
    if (name === 'methods') answer(id, methods);
    if (name === 'ask') ask('q' + id, method, params, (got) => answer(id, got));
    if (name === 'crash') { ask('q' + id, method, params, () => {}); }
    if (name === 'hold') waiting.push(() => answer(id, 'held'));
    if (name === 'later') waiting.push(() => ask('q' + id, method, params, (got) => answer(id, got)));
    if (name === 'go') { for (const one of waiting) one(); waiting = []; answer(id, 'gone'); }
    if (name === 'many') {
      const all = [];
      for (let at = 0; at < 12; at++) ask('m' + at, method, params, (got) => {
        all.push(got.action); if (all.length === 12) answer(id, all); });
    }`,
};

const accepting = (owner?: object, seen: string[] = [], name = ''): CallHost => ({
  ...(owner && { owner }),
  elicit: async () => {
    seen.push(name);
    return { action: 'accept', content: {} };
  },
});

describe('whom a server asks that does not name its call', () => {
  const [ada, bob] = [{}, {}];
  const cases: readonly (readonly [string, readonly CallHost[], RegExp, number])[] = [
    ['one call', [accepting()], /accept/, 0],
    ['two calls of one user', [accepting(ada), accepting(ada)], /accept/, 0],
    ['two calls of two users', [accepting(ada), accepting(bob)], /decline/, 1],
    ['two hosts without an owner', [accepting(), accepting()], /decline/, 1],
    ['a call without a host beside one with', [accepting(ada), {}], /decline/, 1],
  ];
  for (const [name, hosts, expected, warned] of cases) {
    test(`promise 56: ${name}`, limited, async (context) => {
      const watch = await Watch.begin(context);
      const entry = await watch.entry(SOURCE);
      const { connection, warnings } = asked(context, entry, { elicitation: 'form' });
      await connection.start();
      const calls = hosts.map((host, at) =>
        connection.callTool(at === 0 ? 'later' : 'hold', {}, { host }),
      );
      // The server works in order, so it has read all calls before this one.
      const [first] = hosts;
      const go = connection.callTool('go', {}, first ? { host: first } : {});
      const [result] = await Promise.all([...calls, go]);
      assert.match(JSON.stringify(jsonOf(result)), expected);
      assert.equal(warnings.length, warned, warnings.join());
      if (warned > 0) assert.match(warnings[0] ?? '', /calls of several users run/);
    });
  }

  test('promise 56: a question on the stream of a call that has ended is for nobody else', () => {
    const calls = new CallsInFlight(accepting());
    const [one, other] = [calls.begin({ host: {} }), calls.begin({ host: accepting(ada) })];
    assert.equal(calls.for({ addressee: one }), one);
    one.end();
    for (const end of [() => {}, () => other.end()]) {
      end();
      assert.equal(calls.for({ addressee: one }), one);
      assert.ok(calls.for({ addressee: one }).ended.aborted);
    }
  });

  test("while no call runs, the pool's own host is asked, or nobody", limited, async (context) => {
    for (const host of [undefined, accepting()]) {
      const watch = await Watch.begin(context);
      const entry = await watch.entry({
        ...SOURCE,
        tools:
          '(() => { setImmediate(() => ask("early", "elicitation/create", ' +
          `${form}, (got) => alive.write(got.action))); return { tools: [] }; })`,
      });
      const { connection, warnings } = asked(context, entry, { elicitation: 'form', host });
      const said = watch.said();
      await connection.start();
      await said;
      assert.equal(warnings.length, host ? 0 : 1);
    }
  });
});

describe('a server that asks without being told that it may', () => {
  const cases: readonly (readonly [string, object, unknown])[] = [
    ['elicitation', {}, 'decline'],
    ['sampling', { method: 'sampling/createMessage', params: {} }, -1],
    ['roots', { method: 'roots/list' }, '[]'],
    ['another request', { method: 'odd/odd' }, -32601],
  ];
  for (const [name, input, expected] of cases) {
    test(`promise 56: ${name}`, limited, async (context) => {
      const watch = await Watch.begin(context);
      const { connection } = asked(context, await watch.entry(SOURCE), {});
      const host: CallHost = { ...accepting(), sample: () => assert.fail('it was asked') };
      const got = jsonOf(await connection.callTool('ask', input, { host })) as Record<
        string,
        unknown
      >;
      assert.equal(got.action ?? got.code ?? JSON.stringify(got.roots), expected);
      if (name === 'sampling') assert.match(String(got.message), /^The user declined/);
    });
  }
});

test('at most ten requests are answered in one call', limited, async (context) => {
  const watch = await Watch.begin(context);
  const entry = await watch.entry(SOURCE);
  const { connection, warnings } = asked(context, entry, { elicitation: 'form' });
  for (let round = 0; round < 2; round++) {
    const all = jsonOf(await connection.callTool('many', {}, { host: accepting() })) as string[];
    assert.deepEqual([...all].sort(), [...Array(10).fill('accept'), ...Array(2).fill('decline')]);
  }
  assert.equal(warnings.length, 4);
  assert.match(warnings[0] ?? '', /10 requests at most/);
});

test(
  'a form that the protocol does not have is declined with a reason',
  limited,
  async (context) => {
    const watch = await Watch.begin(context);
    const secret = 'hunter2-hunter2';
    const entry = await watch.entry(SOURCE, { KEY: secret });
    const { connection, warnings } = asked(context, entry, { elicitation: 'form' });
    const requestedSchema = { type: 'object', properties: { [secret]: { type: 'object' } } };
    const params = { message: 'Who?', requestedSchema };
    const got = jsonOf(await connection.callTool('ask', { params }, { host: accepting() }));
    assert.equal((got as { action: string }).action, 'decline');
    assert.match(JSON.stringify(got), /a name that cannot be shown/);
    assert.equal(warnings.length, 1);
    assert.doesNotMatch(warnings.join(), /hunter2/);
  },
);

test(
  'pages: only where the host opens them, and only plain addresses',
  limited,
  async (context) => {
    const cases = [
      ['form', 'https://example.org/a', 'decline'],
      ['url', 'https://example.org/a', 'accept'],
      ['url', 'javascript:alert(1)', 'decline'],
      ['url', 'https://user:key@example.org', 'decline'],
    ] as const;
    for (const [elicitation, url, expected] of cases) {
      const watch = await Watch.begin(context);
      const { connection } = asked(context, await watch.entry(SOURCE), { elicitation });
      const params = { mode: 'url', message: 'Log in.', url, elicitationId: 'e' };
      const seen: (string | undefined)[] = [];
      const host: CallHost = {
        elicit: async (request) => {
          seen.push(request.url);
          return { action: 'accept', content: { ignored: 1 } };
        },
      };
      const got = jsonOf(await connection.callTool('ask', { params }, { host }));
      const { action, content } = got as { action: string; content?: unknown };
      assert.deepEqual([action, content], [expected, undefined], `${elicitation} ${url}`);
      assert.deepEqual(seen, expected === 'accept' ? [url] : []);
    }
  },
);

test(
  'a message is cut, and shows neither control characters nor secrets',
  limited,
  async (context) => {
    const watch = await Watch.begin(context);
    const entry = await watch.entry(SOURCE, { KEY: 'hunter2-hunter2' });
    const { connection } = asked(context, entry, { elicitation: 'form' });
    const message = `\u001b[31mhunter2-hunter2\nsecond\u202e line${'x'.repeat(10_000)}`;
    const requestedSchema = { type: 'object', properties: {} };
    let shown = '';
    const host: CallHost = {
      elicit: async (request) => {
        shown = request.message;
        return { action: 'decline' };
      },
    };
    await connection.callTool('ask', { params: { message, requestedSchema } }, { host });
    assert.equal(shown.length, 4000);
    assert.ok(shown.includes('\nsecond line'));
    for (const part of ['hunter2', '\u001b', '\u202e']) assert.ok(!shown.includes(part), part);
  },
);

test('a question ends when its server crashes', limited, async (context) => {
  const watch = await Watch.begin(context);
  const entry = await watch.entry(SOURCE);
  const { connection } = asked(context, entry, { elicitation: 'form' });
  const ends = Promise.withResolvers<void>();
  const host: CallHost = {
    elicit: ({ signal }) => {
      signal.addEventListener('abort', () => ends.resolve());
      void connection.stop();
      return new Promise<never>(() => {});
    },
  };
  await assert.rejects(connection.callTool('crash', {}, { host }), /outcome .* is unknown/);
  await ends.promise;
});

test('a question ends when its call takes too long', limited, async (context) => {
  const watch = await Watch.begin(context);
  const entry = { ...(await watch.entry(SOURCE)), lifecycle: { callTimeout: 20 } };
  const { connection } = asked(context, entry, { elicitation: 'form' });
  await connection.start();
  const ends = Promise.withResolvers<void>();
  let isAsked = false;
  const host: CallHost = {
    elicit: ({ signal }) => {
      isAsked = true;
      signal.addEventListener('abort', () => ends.resolve());
      return new Promise<never>(() => {});
    },
  };
  const call = connection.callTool('ask', {}, { host });
  await assert.rejects(call, /did not answer within/);
  // A slow machine may be over time before the question comes.
  if (isAsked) await ends.promise;
});

test('a server without the capability gets no log level', limited, async (context) => {
  const watch = await Watch.begin(context);
  const { connection } = asked(context, await watch.entry(SOURCE), { logLevel: 'info' });
  const methods = jsonOf(await connection.callTool('methods', {}));
  assert.deepEqual(methods, [
    'initialize',
    'notifications/initialized',
    'tools/list',
    'tools/call',
  ]);
});
