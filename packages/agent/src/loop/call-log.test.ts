import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { UnknownChoice } from '../entries/kinds.ts';
import { Log } from '../log/log.ts';
import { createSession, memoryStore, openSession, type SessionStore } from '../sessions.ts';
import { CallLog } from './call-log.ts';

const CALL = { id: 'c', name: 'mail__send', input: { to: 'Ada' } };
const ignore = { onFailure: () => {}, onMessage: () => {} };

/** A log over the session `s` of the store, in a process of its own. */
async function logIn(
  store: SessionStore,
  { isSafe = false, choice }: { isSafe?: boolean; choice?: UnknownChoice } = {},
): Promise<{ log: CallLog; end: () => Promise<void>; asked: string[] }> {
  const known = await store.get('s');
  const session = known ? await openSession(store, 's') : await createSession(store, { id: 's' });
  const kept = new Log(session);
  await kept.begin(ignore);
  const asked: string[] = [];
  const log = new CallLog(kept, {
    isRepeatable: () => isSafe,
    refuse: async () => undefined,
    choose: async ({ name }) => {
      asked.push(name);
      return choice;
    },
  });
  return { log, end: () => kept.end(), asked };
}

/** A store in which the call has started in an ended process. `output`: its recorded result. */
async function started(output?: string): Promise<SessionStore> {
  const store = memoryStore();
  const { log, end } = await logIn(store);
  if (output !== undefined) await log.run(CALL, async () => output);
  else {
    const begun = Promise.withResolvers<void>();
    void log.run(CALL, () => {
      begun.resolve();
      return new Promise(() => {});
    });
    await begun.promise;
  }
  await end();
  return store;
}

describe('promise 58: a call of an ended process', () => {
  test('promise 58: that has a result is not run again', async () => {
    const { log, asked } = await logIn(await started('sent'));
    assert.equal(await log.run(CALL, () => assert.fail('run again')), 'sent');
    assert.deepEqual(asked, []);
  });

  test('promise 58: that had started runs again only if a trusted source calls this safe', async () => {
    const safe = await logIn(await started(), { isSafe: true });
    assert.equal(await safe.log.run(CALL, async () => 'sent again'), 'sent again');
    assert.deepEqual(safe.asked, []);
    const unsafe = await logIn(await started());
    const run = unsafe.log.run(CALL, () => assert.fail('run again'));
    await assert.rejects(run, /outcome is unknown/);
    assert.deepEqual(unsafe.asked, ['mail__send']);
  });

  for (const [choice, expected] of [
    ['again', 'sent again'],
    ['happened', /taken effect.*"note":"Ada has it\."/],
    ['leave', /outcome is unknown/],
  ] as const)
    test(`promise 58: is what the user decides: ${choice}`, async () => {
      const store = await started();
      const first = await logIn(store, { choice: { choice, note: 'Ada has it.' } });
      const outcome = await first.log
        .run(CALL, async () => 'sent again')
        .then((output) => JSON.stringify(output), String);
      assert.match(outcome, expected instanceof RegExp ? expected : new RegExp(expected));
      await first.end();
      // The decision holds, and nobody is asked again.
      const second = await logIn(store);
      const later = await second.log
        .run(CALL, () => assert.fail('run again'))
        .then((output) => JSON.stringify(output), String);
      assert.equal(later, outcome);
      assert.deepEqual(second.asked, []);
    });

  test('that is cancelled while it runs may have taken effect, and is not run again', async () => {
    const store = memoryStore();
    const { log, end } = await logIn(store);
    const turn = new AbortController();
    const run = log.run(
      CALL,
      async () => {
        turn.abort(new Error('The user cancelled the turn.'));
        throw turn.signal.reason;
      },
      { signal: turn.signal },
    );
    await assert.rejects(run, /cancelled the turn/);
    await end();
    const later = await logIn(store, { isSafe: true });
    const again = later.log.run(CALL, () => assert.fail('run again'));
    await assert.rejects(again, /outcome is unknown: it may have taken effect/);
    const results = (await store.read('s')).filter(({ kind }) => kind === 'result');
    assert.deepEqual(
      results.map(({ body }) => [body.isUnknown, /may have taken effect/.test(`${body.thrown}`)]),
      [[true, true]],
    );
  });

  test('that failed before the turn was cancelled, or did not begin, has its own error', async () => {
    const store = memoryStore();
    const { log, end } = await logIn(store);
    const turn = new AbortController();
    const fail = (text: string) => async () => {
      throw new Error(text);
    };
    const { signal } = turn;
    await assert.rejects(log.run(CALL, fail('no such user'), { signal }), /no such user/);
    turn.abort();
    const late = { ...CALL, id: 'late' };
    await assert.rejects(log.run(late, fail('it did not run'), { signal }), /did not run/);
    await end();
    const errors = (await store.read('s')).flatMap(({ body }) => body.error ?? []);
    assert.deepEqual(errors, ['no such user', 'it did not run']);
  });

  test('that could not be written does not run', async () => {
    const { log, end } = await logIn(memoryStore());
    await end();
    await assert.rejects(
      log.run(CALL, () => assert.fail('run')),
      { code: 'session-lost' },
    );
  });
});
