import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { ScreenView } from '@toolfold/agent/internal/events/screen-view.ts';
import { createSession } from '@toolfold/agent/internal/sessions/session.ts';
import type { Entry } from '@toolfold/agent/internal/sessions/store.ts';
import { memoryStore } from '@toolfold/agent/internal/sqlite/sqlite-store.ts';
import { Questions } from '../../src/chat/open-chat.ts';
import { RemoteQuestions } from '../../src/conversations/remote-questions.ts';
import { createAsker } from '../../src/questions/asker.ts';
import type { Ask, Question } from '../../src/questions/question.ts';

function entry(seq: number, kind: string, body = {}): Entry {
  return { id: `e${seq}`, parent: null, seq, kind, body, at: 0 };
}

/** A turn with one call that waits for approval. */
function asking(approvalId: string, askedBy?: 'setting'): ScreenView {
  const call = {
    ...{ kind: 'call', id: `call-${approvalId}`, name: 'files__write', arguments: {} },
    ...{ status: 'asked', step: 1, children: [], approval: { approvalId, askedBy } },
  };
  const usage = { requests: 0, input: 0, output: 0, cacheRead: 0 };
  return { turns: [{ number: 1, blocks: [call], notices: [], usage }] } as unknown as ScreenView;
}

test('a question of another process that is closed here is not answered, and the next one is asked', async () => {
  const store = memoryStore();
  const session = await createSession(store, { folder: '/work' });
  const posted: unknown[] = [];
  store.post = async (_, { body }) => void posted.push(body);
  const questions = new Questions(() => {});
  const { signal } = new AbortController();
  const asker = createAsker({ ask: questions.ask, note: () => {}, signal });
  const errors: unknown[] = [];
  const remote = new RemoteQuestions({
    asker,
    unknown: async () => [],
    onError: (error) => errors.push(error),
  });

  void remote.follow(session, asking('a'));
  await turn();
  questions.open?.dismiss();
  await turn();
  assert.deepEqual(posted, []);
  assert.match(String(errors), /closed here without an answer/);

  void remote.follow(session, asking('b'));
  await turn();
  // Nobody knows who has asked.
  const offered = () => questions.open?.choices.map(({ id }) => id);
  assert.deepEqual(offered(), ['once', 'reject', 'because']);
  questions.open?.answer('once');
  await turn();
  assert.deepEqual(posted, [{ b: { approved: true, scope: 'once' } }]);

  void remote.follow(session, asking('c', 'setting'));
  await turn();
  assert.deepEqual(offered(), ['once', 'session', 'reject', 'because']);
  questions.open?.dismiss();
});

test('approvals are asked while unknown outcomes are looked for, which happens once for the same entries', async () => {
  const store = memoryStore();
  const { id } = await createSession(store, { folder: '/work' });
  const started = entry(1, 'start', { id: 'c', name: 'work__send' });
  const session = { id, store, entries: [started, entry(2, 'turn')] };
  const questions = new Questions(() => {});
  const { signal } = new AbortController();
  const asker = createAsker({ ask: questions.ask, note: () => {}, signal });
  let looks = 0;
  const unknown = () => {
    looks += 1;
    return new Promise<never>(() => {});
  };
  const remote = new RemoteQuestions({ asker, unknown, onError: () => {} });
  for (let look = 0; look < 3; look++) {
    void remote.follow({ ...session }, asking('a'));
    await turn();
  }
  assert.equal(questions.open?.about.kind, 'approval');
  assert.equal(looks, 1);
  void remote.follow({ ...session, entries: [...session.entries, entry(3, 'user')] }, asking('a'));
  await turn();
  assert.equal(looks, 2);
  questions.open?.dismiss();
});

test('of the calls that are unknown from outside, only those are asked about on which nobody has decided', async () => {
  const store = memoryStore();
  const { id } = await createSession(store, { folder: '/work' });
  const before = ['start open', 'start done', 'result done', 'start again', 'start left'];
  const since = ['turn', 'start again', 'unknown left', 'start new'];
  const entries = [...before, ...since].map((one, at) => {
    const [kind = '', id] = one.split(' ');
    return entry(at + 1, kind, id === undefined ? {} : { id, name: 'work__send' });
  });
  const asked: unknown[] = [];
  const ask = async ({ call }: Question) => void asked.push(call?.id);
  const { signal } = new AbortController();
  const asker = createAsker({ ask: ask as Ask, note: () => {}, signal });
  let looks = 0;
  const unknown = async () => {
    looks += 1;
    const ids = ['open', 'done', 'again', 'left', 'new'];
    return ids.map((id) => ({ id, name: 'work__send', arguments: {} }));
  };
  const remote = new RemoteQuestions({ asker, unknown, onError: () => {} });
  await remote.follow({ id, store, entries }, { turns: [] });
  await turn();
  assert.deepEqual(asked, ['open']);
  // Nothing is looked up where no call can be unknown.
  const decided = entries.filter(({ body }) => body.id !== 'open');
  await remote.follow({ id, store, entries: decided }, { turns: [] });
  assert.equal(looks, 1);
});
