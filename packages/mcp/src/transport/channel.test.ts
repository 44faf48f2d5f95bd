import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { ending, idsOf, wire } from '../../test/transport/channel.test-support.ts';
import type { ServerHandler, ServerMessage } from './channel.ts';

const answer = (id: unknown, result: object = {}): object => ({ jsonrpc: '2.0', id, result });
const question = (id: unknown, params: object = {}): object => ({
  ...{ jsonrpc: '2.0', id, method: 'elicitation/create' },
  params,
});
const notice = (method: string, params: object): object => ({ jsonrpc: '2.0', method, params });

/** A handler that keeps what it is asked. `reply` answers all questions. */
function keeping(): ServerHandler & {
  readonly asked: (ServerMessage & { readonly signal: AbortSignal })[];
  readonly told: ServerMessage[];
  reply(): void;
} {
  const { promise, resolve } = Promise.withResolvers<object>();
  const [asked, told] = [[], []] as [(ServerMessage & { signal: AbortSignal })[], ServerMessage[]];
  return {
    ...{ asked, told, reply: () => resolve({ action: 'decline' }) },
    ask: (message) => {
      asked.push(message);
      return promise;
    },
    tell: (message) => void told.push(message),
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('answers in any order and form, between anything else, reach their own request', async () => {
  const noise = (id: number): object[] => [
    answer(null),
    answer(1e21),
    answer(-1),
    answer('odd'),
    answer(id + 1_000),
    { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'parse error' } },
    question(id),
    question(`${id}`),
    notice('notifications/progress', { progressToken: id, progress: 1 }),
    notice('notifications/progress', { progressToken: 'nobody', progress: 1 }),
    notice('notifications/cancelled', { requestId: id }),
    notice('notifications/message', { level: 'info', data: 'x' }),
    [answer(null), []],
  ];
  const step = fc.record({
    pick: fc.nat(),
    noise: fc.option(fc.nat()),
    form: fc.constantFrom('plain', 'text id', 'batch', 'twice', 'twice in a batch', 'cancelled'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const { channel, sent, receive } = await wire();
      const stops = steps.map(() => new AbortController());
      const ends = stops.map(({ signal }) => ending(channel.request('x/y', {}, { signal })));
      const open = idsOf(sent).map((id, at) => ({ id, at }));
      const expected: string[] = [];
      for (const { pick, noise: odd, form } of steps) {
        const [{ id, at }] = open.splice(pick % open.length, 1) as [{ id: number; at: number }];
        const own = answer(form === 'text id' ? String(id) : id, { at });
        if (odd !== null) receive(noise(id)[odd % noise(id).length]);
        if (form === 'cancelled') stops[at]?.abort(new Error('enough'));
        if (form === 'batch') receive([answer(null), own]);
        else if (form === 'twice in a batch') receive([own, answer(id, { at: 'again' })]);
        else receive(own);
        if (form === 'twice') receive(answer(id, { at: 'again' }));
        expected[at] = form === 'cancelled' ? 'rejected: enough' : JSON.stringify({ at });
      }
      assert.deepEqual(await Promise.all(ends), expected);
    }),
    { numRuns: 200 },
  );
});

suite('a request and its write', () => {
  test('an answer before the end of the write counts, also if the write fails then', async () => {
    const made = await wire();
    const written = Promise.withResolvers<void>();
    made.write = () => written.promise;
    const end = ending(made.channel.request('x/y', {}, {}));
    made.receive(answer(idsOf(made.sent)[0], { a: 1 }));
    written.reject(Object.assign(new Error('broken'), { code: 'EPIPE' }));
    assert.equal(await end, '{"a":1}');
  });

  test('an abort before the end of the write tells the server, and the answer is dropped', async () => {
    const made = await wire();
    const written = Promise.withResolvers<void>();
    made.write = ({ method }) => (method === 'x/y' ? written.promise : Promise.resolve());
    const stop = new AbortController();
    const end = ending(made.channel.request('x/y', {}, { signal: stop.signal }));
    const [id] = idsOf(made.sent);
    stop.abort(new Error('enough'));
    written.resolve();
    assert.equal(await end, 'rejected: enough');
    const params = { requestId: id, reason: 'enough' };
    assert.deepEqual(made.sent.at(-1), notice('notifications/cancelled', params));
    made.receive(answer(id));
    assert.deepEqual(made.passed, []);
    assert.equal(made.watch.requests.strays.count, 0);
  });

  test('requests leave no listener on the signal that they share, however they end', async () => {
    const made = await wire();
    const { signal } = new AbortController();
    made.write = async ({ id, params }) => {
      if (params?.way === 'unwritten') throw new Error('broken');
      if (params?.way === 'result') made.receive(answer(id));
      if (params?.way === 'error')
        made.receive({ jsonrpc: '2.0', id, error: { code: 1, message: 'no' } });
    };
    for (const way of ['result', 'error', 'unwritten']) {
      await ending(made.channel.request('x/y', { way }, { signal, timeout: 60_000 }));
    }
    const ends = [1, 2].map(() => ending(made.channel.request('x/y', {}, { signal })));
    await made.close();
    assert.deepEqual(await Promise.all(ends), Array(2).fill('rejected: Connection closed'));
    assert.equal(getEventListeners(signal, 'abort').length, 0);
    assert.equal(await ending(made.channel.request('x/y', {}, {})), 'rejected: Not connected');
  });
});

test('progress is told by its token, also as text, and only while its request waits', async () => {
  const { channel, sent, receive } = await wire();
  const told: unknown[] = [];
  const request = (name: string): Promise<string> =>
    ending(
      channel.request('x/y', {}, { onProgress: ({ progress }) => told.push([name, progress]) }),
    );
  const ends = [request('a'), request('b')];
  const [a, b] = idsOf(sent);
  const progress = (progressToken: unknown, done: number): void =>
    receive(notice('notifications/progress', { progressToken, progress: done }));
  progress(a, 1);
  progress(String(b), 2);
  progress(`${b} `, 3);
  progress([b], 4);
  receive(answer(a));
  progress(a, 5);
  receive(answer(b));
  await Promise.all(ends);
  assert.deepEqual(told, [
    ['a', 1],
    ['b', 2],
  ]);
});

test('an error that the host throws ends nothing', async () => {
  const { channel, watch, sent, receive } = await wire();
  const fail = (): never => {
    throw new Error('of the host');
  };
  channel.handler = { ask: fail, tell: fail };
  const end = ending(channel.request('x/y', {}, { onProgress: fail }));
  const [id] = idsOf(sent);
  receive(notice('notifications/progress', { progressToken: id, progress: 1 }));
  receive(notice('notifications/message', { level: 'info', data: 'x' }));
  receive(question('q'));
  receive(answer(id));
  assert.equal(await end, '{}');
  await settled();
  const error = { code: -32603, message: 'of the host' };
  assert.deepEqual(sent.at(-1), { jsonrpc: '2.0', id: 'q', error });
  assert.equal(watch.breach.signal.reason, undefined);
});

suite('questions of a server', () => {
  test('an id that it uses twice, and that is one of ours, names both questions', async () => {
    const { channel, sent, receive } = await wire();
    const host = keeping();
    channel.handler = host;
    const end = ending(channel.request('x/y', {}, {}));
    const [id] = idsOf(sent);
    receive(question(id));
    receive(question(id));
    receive(answer(id, { a: 1 }));
    assert.equal(await end, '{"a":1}');
    host.reply();
    await settled();
    const answers = sent.filter(({ method }) => method === undefined);
    assert.deepEqual(answers, Array(2).fill(answer(id, { action: 'decline' })));
    receive(question(id));
    receive(question(id));
    receive(notice('notifications/cancelled', { requestId: id }));
    assert.deepEqual(
      host.asked.map(({ signal }) => signal.aborted),
      [false, false, true, true],
    );
  });

  test('the end of one leaves another one with its id cancellable', async () => {
    const { channel, receive } = await wire();
    const host = keeping();
    channel.handler = {
      ...host,
      ask: (message) => (message.params?.first ? Promise.resolve({}) : host.ask(message)),
    };
    receive(question('q', { first: true }));
    receive(question('q'));
    await settled();
    receive(notice('notifications/cancelled', { requestId: 'q' }));
    assert.equal(host.asked[0]?.signal.aborted, true);
  });

  test('nobody is asked from when the connection is being closed', async () => {
    for (const way of ['close', 'kill'] as const) {
      const made = await wire();
      const host = keeping();
      made.channel.handler = host;
      made.receive(question('early'));
      const closed = made[way]();
      assert.equal(host.asked[0]?.signal.aborted, true);
      made.receive(question('late'));
      await closed;
      made.receive(question('too late'));
      made.receive(notice('notifications/message', { level: 'info', data: 'x' }));
      host.reply();
      await settled();
      assert.deepEqual([host.asked.length, host.told.length, made.sent], [1, 0, []]);
    }
  });

  test('those that it cancelled do not count as open ones', async () => {
    const { channel, watch, receive } = await wire();
    channel.handler = {
      ask: ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
      tell: () => {},
    };
    for (let id = 0; id < 1_500; id++) {
      receive(question(id));
      receive(notice('notifications/cancelled', { requestId: id }));
      await settled();
    }
    assert.equal(watch.breach.signal.reason, undefined);
    for (let id = 0; id <= 1_000; id++) receive(question(id));
    assert.match(watch.breach.signal.reason ?? '', /1,000 requests without reading the answers/);
  });

  test('a server cannot choose whom it asks by naming a request as the carrier', async () => {
    const { channel, sent, receive } = await wire();
    const host = keeping();
    channel.handler = host;
    for (const owner of [{}, {}]) void channel.request('x/y', {}, { addressee: { owner } });
    const _meta = { 'toolfold/carrier': idsOf(sent)[0] };
    receive(question('q', { _meta }));
    assert.equal(host.asked[0]?.addressee, 'several');
    assert.deepEqual(host.asked[0]?.params, { _meta });
  });
});
