import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ENDPOINTS, type Endpoint } from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import {
  type ModelServer,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import { combinations, selection } from '@toolfold/testing/test/combinations.test-support.ts';
import type { ModelMessage } from 'ai';
import { isSummary } from '../src/compaction/summary.ts';
import { plainValue } from '../src/entries/plain.ts';
import type { AgentEvent } from '../src/events/events.ts';
import { screenOf } from '../src/events/screen.ts';
import type { Agent } from '../src/options/options.ts';
import {
  exportSession,
  importSession,
  memoryStore,
  openSession,
  type SessionStore,
} from '../src/sessions.ts';
import { interruptedText } from '../src/state/messages.ts';
import { eventsOf } from '../src/state/rebuilt-events.ts';
import { assertHeld, begin, collect, ended } from './agent.test-support.ts';
import { free } from './log/dying-store.test-support.ts';
import { agentIn } from './log/session-talk.test-support.ts';

const [anthropic, , chat] = ENDPOINTS as readonly [Endpoint, Endpoint, Endpoint];

/** What happens to a conversation. Each step is a process of its own. */
const STEPS = {
  /** The user sends a message, and its process is killed behind an entry of this kind. */
  'killed behind turn': (place) => place.killed('turn', (talk) => talk.send(place.words())),
  'killed behind the mark': (place) =>
    place.killed('interrupted', (talk) => talk.send(place.words())),
  'killed behind user': (place) => place.killed('user', (talk) => talk.send(place.words())),
  'killed behind request': (place) => place.killed('request', (talk) => talk.send(place.words())),
  'killed in the answer': (place) => place.killed('text', (talk) => talk.send(place.words())),
  'killed while it resumes': (place) => place.killed('request', (talk) => talk.resume()),
  'killed while it compacts': (place) => place.killed('turn', (talk) => talk.compact()),
  imported: (place) => place.imported(),
  cancelled: (place) => place.left((talk, signal) => talk.send(place.words(), { signal })),
  failed: (place) => place.ended('error', (talk) => talk.send(place.words()), true),
  answered: (place) => place.ended('done', (talk) => talk.send(place.words())),
  resumed: (place) => place.ended('done', (talk) => talk.resume()),
  compacted: (place) => place.ended('done', (talk) => talk.compact()),
} satisfies Record<string, (place: Place) => Promise<void>>;

type Step = keyof typeof STEPS;
const NAMES = Object.keys(STEPS) as readonly Step[];

/** Steps that need a turn to resume. */
const RESUMES: ReadonlySet<Step> = new Set(['killed while it resumes', 'resumed']);

type Turn = (talk: Agent, signal: AbortSignal) => AsyncIterable<AgentEvent>;

/** One conversation in a store, on one server. */
class Place {
  store: SessionStore = memoryStore();
  readonly #server: ModelServer;
  readonly #endpoint: Endpoint;
  readonly #onNext: (isFailing: boolean) => void;
  #count = 0;

  constructor(server: ModelServer, endpoint: Endpoint, onNext: (isFailing: boolean) => void) {
    this.#server = server;
    this.#endpoint = endpoint;
    this.#onNext = onNext;
  }

  /** The words of the next message: so many that a compaction saves some. */
  words(): string {
    return `Message ${++this.#count}. ${'Some words. '.repeat(600)}`;
  }

  async open(store: SessionStore = this.store): Promise<Agent> {
    if (await this.store.get('s')) await free(this.store);
    return agentIn(store, this.#server, { endpoint: this.#endpoint, fold: { tools: {} as never } });
  }

  /** The process is killed when it has written an entry of this kind, or shows such an event, if it comes to that. */
  async killed(kind: string, turn: Turn): Promise<void> {
    const { promise: dead, resolve: die } = Promise.withResolvers<void>();
    let isDead = false;
    const end = () => {
      isDead = true;
      die();
      return new Promise<never>(() => {});
    };
    const store: SessionStore = {
      ...this.store,
      append: async (entries, options) => {
        const at = entries.findIndex((entry) => entry.kind === kind);
        if (!isDead) await this.store.append(at < 0 ? entries : entries.slice(0, at + 1), options);
        if (isDead || at >= 0) await end();
      },
    };
    const talk = await this.open(store);
    const reading = async () => {
      for await (const event of turn(talk, new AbortController().signal))
        if (event.type === kind) await end();
    };
    await Promise.race([reading(), dead]);
  }

  /** The turn is cancelled before its first request. */
  async left(turn: Turn): Promise<void> {
    const stop = new AbortController();
    const sent = this.#server.requests.length;
    for await (const event of turn(await this.open(), stop.signal))
      if (event.type === 'user') stop.abort();
    assert.equal(this.#server.requests.length, sent);
  }

  /** The session goes on from its file. */
  async imported(): Promise<void> {
    if (!(await this.store.get('s'))) return;
    const there = memoryStore();
    await importSession(there, exportSession(await openSession(this.store, 's')));
    this.store = there;
  }

  async ended(reason: string, turn: Turn, isFailing = false): Promise<void> {
    this.#onNext(isFailing);
    const events = await collect(turn(await this.open(), new AbortController().signal));
    this.#onNext(false);
    assert.equal(ended(events).reason, reason, JSON.stringify(ended(events).error));
  }
}

const roles = (messages: readonly ModelMessage[]) => messages.map(({ role }) => role);

/** Asserts that each message of the user has one answer, or a mark in its place. */
function assertAlternate(messages: readonly ModelMessage[]): void {
  // A summary stands before the message behind it.
  const said = roles(messages.filter((message) => !isSummary(message)));
  assert.deepEqual(
    said,
    said.map((_, at) => (at % 2 === 0 ? 'user' : 'assistant')),
  );
}

/** Plays steps, then sends a message. Returns how many entries of each kind there are. */
async function play(endpoint: Endpoint, steps: readonly Step[]): Promise<Map<string, number>> {
  let isFailing = false;
  await using server = await startModelServer({
    script: () =>
      isFailing ? { error: { status: 400, body: 'No.' } } : { text: 'Fine.', chunkSize: 2 },
  });
  const place = new Place(server, endpoint, (next) => {
    isFailing = next;
  });
  for (const step of steps)
    if (!RESUMES.has(step) || (await place.open()).canResume) await STEPS[step](place);
  const talk = await place.open();
  const before = talk.messages;
  const events: AgentEvent[] = [];
  for await (const event of talk.send('And now?')) events.push(event);
  assert.equal(ended(events).reason, 'done', JSON.stringify(ended(events).error));
  assert.equal(ended(events).text, 'Fine.');
  // What was there stays: a mark is put behind it, once.
  assert.deepEqual(talk.messages.slice(0, before.length), before);
  assert.equal(talk.messages.length - before.length, before.at(-1)?.role === 'user' ? 3 : 2);
  assertAlternate(talk.messages);
  assert.deepEqual((await place.open()).messages, talk.messages);
  const entries = await place.store.read('s');
  const kinds = new Map(
    [...Map.groupBy(entries, ({ kind }) => kind)].map(([kind, { length }]) => [kind, length]),
  );
  if (!kinds.has('compaction')) assertHeld(server);
  const turn = entries.slice(entries.findLastIndex(({ kind }) => kind === 'turn'));
  assert.deepEqual(plainValue(screenOf(eventsOf(turn))), plainValue(screenOf(events)));
  return kinds;
}

const ROWS = combinations({ first: NAMES, second: NAMES, endpoint: [anthropic, chat] });

describe(`a message behind one that has no answer, ${selection}`, () => {
  for (const first of NAMES)
    test(`promise 59: ${first}, then anything else, then the message`, async () => {
      for (const { endpoint, second } of ROWS.filter((row) => row.first === first))
        await assert.doesNotReject(
          () => play(endpoint, [first, second]),
          `${first}, ${second}, ${endpoint.name}`,
        );
    });

  test('of a conversation that is compacted meanwhile', async () => {
    for (const killed of ['killed behind request', 'killed while it resumes'] as const) {
      const kinds = await play(chat, ['answered', 'answered', 'failed', killed, 'compacted']);
      assert.equal(kinds.get('compaction'), 1);
    }
  });

  test('of two processes, which both know of it', async () => {
    await using server = await startModelServer({ script: () => ({ text: 'Fine.' }) });
    const place = new Place(server, chat, () => {});
    await STEPS['killed behind request'](place);
    const [one, other] = [await place.open(), await place.open()];
    for await (const event of one.send('One.'))
      if (event.type === 'request')
        assert.equal(ended(await collect(other.send('Other.'))).code, 'session-busy');
    assert.equal(ended(await collect(other.send('Other.'))).reason, 'done');
    assertAlternate(other.messages);
    assert.equal(other.messages.filter((message) => interruptedText(message) === '').length, 1);
    assertHeld(server);
  });

  test('stays as it is if the app gave it', async () => {
    await using server = await startModelServer({ script: () => ({ text: 'Fine.' }) });
    const given = { role: 'user', content: 'Given.' } as const;
    const { talk } = begin(server, { endpoint: chat, agent: { messages: [given] } });
    await collect(talk.send('One.'));
    assert.deepEqual(roles(talk.messages), ['user', 'user', 'assistant']);
    const stop = new AbortController();
    for await (const event of talk.send('Two.', { signal: stop.signal }))
      if (event.type === 'user') stop.abort();
    await collect(talk.send('Three.'));
    const said = ['user', 'assistant', 'user', 'assistant'];
    assert.deepEqual(roles(talk.messages), ['user', 'user', 'assistant', ...said]);
    assertHeld(server);
  });
});
