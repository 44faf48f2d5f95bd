import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import type { Write } from '../entries/kinds.ts';
import type { StampedEvent } from '../options/options.ts';
import { createSession, memoryStore, type SessionStore } from '../sessions.ts';
import { Log } from './log.ts';
import { ReceivedAnswer } from './received-answer.ts';

const user = (text: string): Write => ['user', { message: { role: 'user', content: text } }];
const warning = (text: string): Write => ['event', { event: { type: 'warning', text } }];
const TOOLS = { isReal: () => true, refusesCalls: () => false, schemaOf: undefined };
const textOf = (event: StampedEvent) => ('text' in event ? String(event.text) : event.type);

/** A log on a store whose appends wait until they are let through, or fail. */
async function held() {
  const store = memoryStore();
  let gates: PromiseWithResolvers<void>[] = [];
  const sizes: number[] = [];
  const append: SessionStore['append'] = async (entries, options) => {
    sizes.push(entries.length);
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    await gate.promise;
    await store.append(entries, options);
  };
  const session = await createSession({ ...store, append, retryTimeout: 0 });
  let lose: (error: unknown) => void = () => {};
  const hold = session.begin.bind(session);
  session.begin = (listener) => {
    lose = listener.onLost;
    return hold(listener);
  };
  const log = new Log(session);
  const seen: string[] = [];
  log.subscribe(async (event) => void seen.push(textOf(event)));
  const failures: unknown[] = [];
  const begin = () =>
    log.begin({ onFailure: (error) => failures.push(error), onMessage: () => {} });
  await begin();
  /** Lets each append through that the store has got, and those that follow from it. */
  const flush = async (error?: Error) => {
    do {
      for (const gate of gates.splice(0)) error ? gate.reject(error) : gate.resolve();
      await new Promise(setImmediate);
    } while (gates.length > 0);
    gates = [];
  };
  return {
    session,
    log,
    seen,
    sizes,
    failures,
    begin,
    flush,
    lose: (error: unknown) => lose(error),
  };
}

test('promise 67: an event is emitted when its entry is durable, and a draft behind it waits', async () => {
  const { log, seen, flush } = await held();
  const written = log.append(warning('entry'));
  const shown = log.emit({ type: 'text', text: 'draft' });
  await new Promise(setImmediate);
  assert.deepEqual(seen, []);
  await flush();
  await Promise.all([written, shown]);
  assert.deepEqual(seen, ['entry', 'draft']);
});

test('promise 67: the state follows from an entry at once, and entries that wait are written together', async () => {
  const { session, log, sizes, flush } = await held();
  const all = ['one', 'two', 'three', 'four'].map((text) => log.append(user(text)));
  assert.deepEqual(
    log.state.messages.map(({ content }) => content),
    ['one', 'two', 'three', 'four'],
  );
  await flush();
  await Promise.all(all);
  assert.ok(sizes.length < all.length, `${sizes}`);
  assert.equal(session.entries.length, 4);
});

test('promise 67: what the store refuses changes no state, is shown, and a result is written later', async () => {
  const { session, log, seen, failures, begin, flush } = await held();
  const result: Write = ['result', { id: 'c', name: 'mail__send', output: 'sent' }];
  const appended = [log.append(user('lost')), log.append(warning('kept')), log.append(result)];
  const shown = log.emit({ type: 'text', text: 'draft' });
  const results = Promise.allSettled(appended);
  await flush(new ToolfoldError('session-unavailable', 'The disk is full.', 'Make room.'));
  assert.deepEqual(
    (await results).map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  );
  await shown;
  assert.equal(failures.length, 1);
  assert.ok(seen.includes('kept') && seen.includes('draft'), `${seen}`);
  assert.deepEqual(log.state.messages, []);
  assert.equal(session.entries.length, 0);
  await assert.rejects(log.append(user('later')), { code: 'session-unavailable' });
  await log.end();
  const again = begin();
  await flush();
  await again;
  assert.deepEqual(
    session.entries.map(({ kind }) => kind),
    ['result'],
  );
  assert.ok(log.state.runs.get('c')?.outcome);
});

test('promise 67: a store that stands still does not hold back what is shown, once it is hurried', async () => {
  const { log, seen, flush } = await held();
  const written = log.append(warning('entry'));
  await new Promise(setImmediate);
  log.hurry();
  await log.emit({ type: 'text', text: 'draft' });
  assert.deepEqual(seen, ['entry', 'draft']);
  await flush();
  await written;
  assert.deepEqual(seen, ['entry', 'draft']);
});

for (const isWritten of [true, false])
  test(`promise 67: a lease that is lost while entries are written ends each wait, ${isWritten ? 'written' : 'refused'}`, async () => {
    const { log, seen, failures, flush, lose } = await held();
    const lost = new ToolfoldError('session-lost', 'Another process has it.', 'Open it again.');
    const appended = [log.append(warning('under way'))];
    await new Promise(setImmediate);
    appended.push(log.append(warning('queued')));
    const shown = log.emit({ type: 'text', text: 'draft' });
    const settled = Promise.allSettled(appended);
    lose(lost);
    await flush(isWritten ? undefined : lost);
    const results = await settled;
    assert.deepEqual(
      results.map(({ status }) => status),
      [isWritten ? 'fulfilled' : 'rejected', 'rejected'],
    );
    await shown;
    await log.settled();
    assert.deepEqual(failures, [lost]);
    assert.deepEqual([...seen].sort(), ['draft', 'queued', 'under way']);
  });

test('promise 67: a delta says behind which entry it stands, which one of these it is, and its attempt', async () => {
  const log = new Log(undefined);
  const places: unknown[] = [];
  log.subscribe(async ({ type, seq, n, attempt }) => void places.push([type, seq, n, attempt]));
  await log.append(user('Hello'), warning('one'));
  log.open.attempt = 1;
  await log.emit({ type: 'text', text: 'Go' });
  await log.emit({ type: 'tool-progress', id: 'c', name: 'read' } as never);
  log.open.attempt = 2;
  await log.emit({ type: 'text', text: 'Good' });
  await log.append(warning('two'));
  await log.emit({ type: 'reasoning', text: 'Hm.' });
  assert.deepEqual(places.slice(1), [
    ['warning', 2, undefined, undefined],
    ['text', 2, 1, 1],
    ['tool-progress', 2, 2, undefined],
    ['text', 2, 3, 2],
    ['warning', 3, undefined, undefined],
    ['reasoning', 3, 1, 2],
  ]);
});

test('promise 67: what a turn has left open, because it could not be written, is not open in the next one', async () => {
  const { log, begin } = await held();
  log.open = new ReceivedAnswer(1);
  log.open.take({ type: 'text-delta', id: '0', delta: 'Half' }, TOOLS);
  assert.equal(log.open.text, 'Half');
  await log.end();
  await begin();
  assert.deepEqual([log.open.attempt, log.open.text], [0, '']);
});

test('promise 67: what comes while the right to write is asked for fails no turn', async () => {
  const session = await createSession({ ...memoryStore(), retryTimeout: 0 });
  const gate = Promise.withResolvers<void>();
  const hold = session.begin.bind(session);
  session.begin = async (listener) => {
    await gate.promise;
    return hold(listener);
  };
  const log = new Log(session);
  const failures: unknown[] = [];
  const begun = log.begin({ onFailure: (error) => failures.push(error), onMessage: () => {} });
  assert.equal(log.isHeld, false);
  await log.note(['event', { event: { type: 'warning', text: 'beside the turn' } }]);
  gate.resolve();
  await begun;
  assert.equal(log.isHeld, true);
  await log.append(user('Hello'));
  await log.end();
  assert.equal(log.isHeld, false);
  assert.deepEqual([failures, log.failure], [[], undefined]);
  assert.equal(session.entries.length, 1);
});
