// test: slow
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { observe } from '../server/server-connection.test-support.ts';
import { Watch } from '../server/watch.test-support.ts';

const limited = { timeout: 30_000 };
const tools = "[{ name: 'a' }]";
const answer = 'say({ id: message.id, result: { content: [] } });';
const withoutId = "say({ id: null, error: { code: -32601, message: 'Method not found' } });";
/** Runs code for each notification with this method. */
const on = (method: string, code: string): string =>
  `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const message = JSON.parse(line); if (message.method === '${method}') { ${code} } });`;

/** What a server says when, without the id of a request, and what comes of two calls. */
interface Row {
  readonly before?: string;
  readonly tools?: string;
  readonly call?: string;
  readonly after?: string;
  /** Why it does not start. */
  readonly failed?: RegExp;
  readonly warning?: RegExp;
  readonly calls?: readonly ('fine' | RegExp)[];
}

const rows: Readonly<Record<string, Row>> = {
  'an error with the id null, for notifications/initialized': {
    call: answer,
    after: on('notifications/initialized', withoutId),
    warning: /^it sent an error without an id: Method not found$/,
    calls: ['fine', 'fine'],
  },
  'an error without an id, for notifications/initialized': {
    call: answer,
    after: on(
      'notifications/initialized',
      "say({ error: { code: -32601, message: 'Method not found' } });",
    ),
    warning: /Method not found/,
    calls: ['fine'],
  },
  'an error without an id in the middle of a call, and then the answer': {
    call: `${withoutId} ${answer}`,
    calls: ['fine', 'fine'],
  },
  'an error without an id, and no answer': {
    call: "say({ id: null, error: { code: -32700, message: 'parse error' } });",
    calls: [
      /did not answer within 0.4 s and was cancelled; meanwhile the server sent an error without an id: parse error\. It may/,
    ],
  },
  'an error without an id in the first call is not told of the second': {
    before: 'let calls = 0;',
    call: `if (++calls === 1) { ${withoutId} ${answer} }`,
    calls: ['fine', /did not answer within 0.4 s and was cancelled\. It may/],
  },
  'an error with the id of no request': {
    call: "say({ id: 4711, error: { code: 1, message: 'who?' } });",
    calls: [/meanwhile the server sent an error with the id 4711, which no request has: who\?/],
  },
  'a result with the id of no request': {
    call: 'say({ id: 987654, result: { content: [] } });',
    calls: [/meanwhile the server sent a result with the id 987654, which no request has\. It/],
  },
  'a result without an id': {
    call: 'say({ result: { content: [] } });',
    calls: [/meanwhile the server sent a result without an id\. It/],
  },
  'an error without an id with a secret': {
    call: "say({ id: null, error: { code: 1, message: 'bad ' + process.env.KEY } });",
    calls: [/an error without an id: bad \[redacted\]/],
  },
  'an error without an id, for tools/list': {
    tools: "() => { throw new Error('none'); }",
    before: `process.on('uncaughtException', () => { ${withoutId} });`,
    failed:
      /did not list its tools within 2 s; meanwhile the server sent an error without an id: Method not found/,
  },
  'an error without an id, for initialize and server/discover': {
    before: `require('node:readline').createInterface({ input: process.stdin })
      .on('line', () => { say({ id: null, error: { code: 1, message: 'not today' } }); }); return;`,
    failed: /not today/,
  },
};

suite('over stdio a fault belongs to one call', { concurrency: 4 }, () => {
  for (const [name, row] of Object.entries(rows)) {
    test(`promise 54: ${name}`, limited, async (context) => {
      const watch = await Watch.begin(context);
      const entry = await watch.entry({ tools, ...row }, { KEY: 'hunter2-hunter2' });
      const lifecycle = { callTimeout: 400 };
      const startTimeout = /within 2 s/.test(String(row.failed)) ? 2000 : 20_000;
      const { connection, events } = observe(context, { ...entry, lifecycle }, { startTimeout });
      const state = await connection.start();
      if (row.failed) {
        assert.ok(state.kind === 'failed');
        return assert.match(state.reason, row.failed);
      }
      assert.equal(state.kind, 'ready');
      for (const expected of row.calls ?? []) {
        const call = connection.callTool('a', {});
        if (expected === 'fine') await call;
        else await assert.rejects(call, expected);
      }
      // It comes before or after the list of tools.
      const later = events.flatMap((event) => (event.kind === 'warning' ? [event.text] : []));
      const warnings = [...(connection.listing?.warnings ?? []), ...later];
      if (row.warning) assert.match(warnings.join('; '), row.warning);
    });
  }

  test(
    'a cancellation that is answered with an error ends no other call',
    limited,
    async (context) => {
      const watch = await Watch.begin(context);
      const entry = await watch.entry({
        tools,
        before: 'let first; let calls = 0;',
        call: `calls += 1; if (calls === 1) { first = message; alive.write('x'); } else {
        ${withoutId} say({ id: message.id, result: { calls } }); }`,
        after: on('notifications/cancelled', withoutId),
      });
      const { connection, events } = observe(context, entry);
      await connection.start();
      const stop = new AbortController();
      const said = watch.said();
      const cancelled = connection.callTool('a', {}, { signal: stop.signal });
      await said;
      stop.abort(new Error('enough'));
      await assert.rejects(cancelled, /enough/);
      assert.deepEqual(await connection.callTool('a', {}), { calls: 2 });
      const warnings = events.filter(({ kind }) => kind === 'warning');
      assert.deepEqual(
        warnings.map((event) => event.kind === 'warning' && event.text),
        ['it sent an error without an id: Method not found'],
      );
    },
  );

  test('an error without an id ends neither of two calls', limited, async (context) => {
    const watch = await Watch.begin(context);
    const entry = await watch.entry({
      tools,
      before: 'const waiting = [];',
      call: `waiting.push(message); if (waiting.length === 2) { ${withoutId}
        for (const message of waiting) { ${answer} } }`,
    });
    const { connection } = observe(context, entry);
    await Promise.all([connection.callTool('a', {}), connection.callTool('a', {})]);
  });
});
