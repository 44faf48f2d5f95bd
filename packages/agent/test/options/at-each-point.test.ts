import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { modelOn } from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import {
  type ModelServer,
  type Reply,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import { isFull, selected } from '@toolfold/testing/test/combinations.test-support.ts';
import type { AgentEvent } from '../../src/events/events.ts';
import { inboxMessage } from '../../src/options/inbox.ts';
import type { Agent } from '../../src/options/options.ts';
import { createSession, memoryStore, openSession, type SessionStore } from '../../src/sessions.ts';
import { USER_WROTE } from '../../src/state/messages.ts';
import { createSubagents } from '../../src/tasks/tool.ts';
import { assertHeld, collect, ended } from '../agent.test-support.ts';
import {
  beginWay,
  GROUPS,
  isSummaryRequest,
  WAY_OF_EACH,
  WAYS,
  type Way,
} from '../compact.test-support.ts';
import { comparable, type Done, effectGroup } from '../log/session-talk.test-support.ts';
import { taskIn } from '../subagents/team.test-support.ts';

const limited = { timeout: 60_000 };

interface Point {
  /** Where messages arrive: at a request of the model, at an entry when it is durable, or at a run. */
  readonly at: string;
  /** The calls of the first answer that have not begun, and so do not run. */
  readonly stops?: readonly string[];
  /** The window is too small for the conversation. */
  readonly isLong?: boolean;
  /** The second request fails once. It is sent again as it was, so the messages come with the one behind it. */
  readonly fails?: boolean;
}

const ALL = ['c2', 'c3'];

const POINTS = {
  'before the first request': { at: 'system' },
  'while the first request is open': { at: 'request 1', stops: ALL },
  'while an answer streams': { at: 'stream', stops: ALL },
  'when an answer is written, before its calls': { at: 'entry model 1', stops: ALL },
  'between two calls of an answer': { at: 'after read', stops: ALL },
  'while a question is open': { at: 'ask 1', stops: ALL },
  'between a decision and the run': { at: 'entry answer 1', stops: ALL },
  'while a call runs': { at: 'before send' },
  'between the results and the next request': { at: 'entry result 3' },
  'while a subagent runs': { at: 'child' },
  'after the last answer': { at: 'last' },
  'during a compaction': { at: 'summary', isLong: true },
  'during the wait for another attempt': { at: 'retry', fails: true },
} as const satisfies Readonly<Record<string, Point>>;

const TEXTS = { n1: 'now', a1: 'after', n2: 'now', a2: 'after' } as const;
const ofKind = (ids: readonly unknown[], kind: string) =>
  ids.filter((id) => String(id).startsWith(kind));

/** The text of a message, which stands nowhere else. */
const textOf = (id: string) => `The message ${id}.`;
const timesIn = ({ raw }: RecordedRequest, id: string) => raw.split(textOf(id)).length - 1;

const NAMES = Object.keys(POINTS) as (keyof typeof POINTS)[];

/** The last answer before those to the messages. */
const LAST = 'All done.';

type Delivery = 'here' | 'inbox';

/** One turn with a message at this point, and what came of it. */
class Trial {
  readonly #way: Way;
  readonly #point: Point;
  readonly #delivery: Delivery;
  readonly #store: SessionStore = memoryStore();
  readonly #seen = new Map<string, number>();
  readonly done: Done = [];
  /** Requests of the conversation itself. */
  readonly requests: RecordedRequest[] = [];
  #talk: Agent | undefined;
  #step = 0;
  #isSummarized = false;
  /** The number of requests when the messages came. */
  #saidAt: number | undefined;

  constructor(way: Way, point: Point, delivery: Delivery) {
    this.#way = way;
    this.#point = point;
    this.#delivery = delivery;
  }

  async run(): Promise<void> {
    await using server = await startModelServer({ script: (request) => this.#reply(request) });
    const store = { ...this.#store, append: this.#append };
    this.#talk = await this.#begin(server, store);
    const events: AgentEvent[] = [];
    for await (const event of this.#talk.send('Go.', { id: 'go' })) {
      events.push(event);
      if (event.type === 'retry') await this.#reach('retry');
    }
    const { reason, error } = ended(events);
    assert.equal(reason, 'done', String(error));
    assert.ok(this.#saidAt !== undefined, 'the point was not reached');
    await this.#check(events);
    // The log and the wire agree: another process sends the same bytes, and says nothing again.
    const other = await this.#begin(server, this.#store);
    assert.deepEqual(comparable(other.messages), comparable(this.#talk.messages));
    assert.equal(ended(await collect(other.send('More.'))).reason, 'done');
    const last = this.requests.at(-1) ?? assert.fail();
    for (const id of Object.keys(TEXTS)) assert.equal(timesIn(last, id), 1, id);
    const { isLong } = this.#point;
    if (this.#way.holds && !isLong) assertHeld({ ...server, requests: this.requests });
  }

  async #check(events: readonly AgentEvent[]): Promise<void> {
    const entries = await this.#store.read('s');
    const users = entries.flatMap(({ kind, body }) => (kind === 'user' ? [body.id] : []));
    assert.equal(users.length, 5);
    assert.deepEqual(ofKind(users, 'n'), ['n1', 'n2']);
    assert.deepEqual(ofKind(users, 'a'), ['a1', 'a2']);
    assert.equal(entries.filter(({ kind }) => kind === 'turn').length, 1);
    const expected = (this.#saidAt ?? 0) + (this.#point.fails ? 1 : 0);
    const heard = (id: string) => this.requests.findIndex((request) => timesIn(request, id) > 0);
    for (const id of ['n1', 'n2']) assert.equal(heard(id), expected, `${id} is heard there`);
    // What is for later comes behind an answer without calls.
    for (const id of ['a1', 'a2']) assert.ok(heard(id) > expected || this.#point.at === 'last');
    for (const request of this.requests)
      for (const id of Object.keys(TEXTS)) assert.ok(timesIn(request, id) <= 1, `${id} twice`);
    // A call either runs or says that it did not, and free reads run.
    const refused = new Set(
      events.flatMap((event) => {
        const isRefused =
          (event.type === 'decision' && event.reason === USER_WROTE) ||
          (event.type === 'failure' && event.error.includes(USER_WROTE));
        return isRefused ? [event.id] : [];
      }),
    );
    const stopped = ALL.filter((id) => refused.has(id));
    // Approved calls begin at once. The inbox is looked at before questions and requests, and twice a second.
    const mayRun = this.#delivery === 'inbox' && this.#point.at === 'entry answer 1';
    if (!mayRun) assert.deepEqual(stopped, this.#point.stops ?? []);
    for (const event of events) {
      if (event.type !== 'call' || !event.name.startsWith('work__')) continue;
      const n = Reflect.get(event.arguments as object, 'n');
      const runs = this.done.filter((one) => one.endsWith(`:${n}`)).length;
      assert.equal(runs, refused.has(event.id) ? 0 : 1, `${event.name} ${n}`);
      if (event.name === 'work__read') assert.equal(runs, 1);
    }
  }

  async #begin(server: ModelServer, store: SessionStore): Promise<Agent> {
    const { tools, ...subagents } = createSubagents();
    const known = await store.get('s');
    const session = known ? await openSession(store, 's') : await createSession(store, { id: 's' });
    const { modelId } = modelOn(server, this.#way.endpoint);
    const { isLong, fails } = this.#point;
    const settings = { ...Reflect.get(this.#way.endpoint, 'settings'), maxRetries: fails ? 1 : 0 };
    const { talk } = await beginWay(server, this.#way, {
      session,
      fold: {
        groups: [...GROUPS, effectGroup(this.done, (when, name) => this.#reach(`${when} ${name}`))],
        tools: tools as never,
      },
      agent: {
        ...(isLong ? { models: { [modelId]: { contextWindow: 24_000 } } } : {}),
        settings,
        subagents: { tools, ...subagents },
        maxRounds: 50,
        hooks: {
          transformSystemPrompt: async (text) => {
            await this.#reach('system');
            return text;
          },
        },
        approvals: {
          mode: 'annotations',
          allow: ['subagents', 'files__*'],
          ask: async ({ signal }) => {
            const isHere = await this.#reach('ask 1');
            // It is never answered. The message withdraws it.
            if (isHere)
              await new Promise((_, reject) =>
                signal?.addEventListener('abort', () => reject(signal.reason)),
              );
            return { approved: true };
          },
        },
      },
    });
    return talk;
  }

  readonly #append: SessionStore['append'] = async (entries, options) => {
    await this.#store.append(entries, options);
    if (options.lease.session !== 's') return;
    for (const { kind, body } of entries) {
      if (kind === 'model' && JSON.stringify(body).includes(LAST)) await this.#reach('last');
      const count = (this.#seen.get(kind) ?? 0) + 1;
      this.#seen.set(kind, count);
      await this.#reach(`entry ${kind} ${count}`);
    }
  };

  /** Says the messages if this is the point. Resolves with whether it was. */
  async #reach(at: string): Promise<boolean> {
    if (at !== this.#point.at || this.#saidAt !== undefined) return false;
    this.#saidAt = this.requests.length;
    for (const [id, when] of Object.entries(TEXTS)) {
      const text = textOf(id);
      if (this.#delivery === 'inbox')
        await this.#store.post('s', inboxMessage('user', { text, when }, id));
      else void collect(this.#talk?.send(text, { id, when }) ?? assert.fail());
    }
    return true;
  }

  async #reply(request: RecordedRequest): Promise<Reply> {
    if (taskIn(request) !== undefined) {
      await this.#reach('child');
      return { text: 'Looked.' };
    }
    if (isSummaryRequest(request)) {
      this.#isSummarized = true;
      await this.#reach('summary');
      return { text: 'Files were read.' };
    }
    this.requests.push(request);
    await this.#reach(`request ${this.requests.length}`);
    if (this.#point.fails && this.requests.length === 2)
      return { error: { status: 529, body: 'Scripted.' } };
    const { call } = this.#way;
    if (this.#point.isLong && !this.#isSummarized)
      return { calls: [call('files__read', { path: `${this.requests.length}.txt` })] };
    const step = this.#step++;
    const work = (name: string, n: number) => ({ ...call(`work__${name}`, { n }), id: `c${n}` });
    const tasks = [{ id: 'a', task: 'Look.' }];
    const replies: readonly Reply[] = [
      {
        text: 'Well, first of all.',
        calls: [work('read', 1), work('send', 2), work('set', 3)],
        pace: (sent) => (sent === 2 ? this.#reach('stream') : undefined),
      },
      { calls: [{ name: 'subagents', arguments: { tasks } }] },
      { calls: [work('add', 4)] },
      { text: LAST },
    ];
    return replies[step] ?? { text: 'I see.' };
  }
}

describe('messages of the user at each point of a turn', () => {
  const delivery: readonly Delivery[] = ['here', 'inbox'];
  const all = (isFull ? WAYS : WAY_OF_EACH).flatMap((way) =>
    NAMES.flatMap((name) => delivery.map((by) => ({ way, name, by }))),
  );
  for (const { way, name, by } of selected(all))
    test(`promise 79: ${name}, from ${by}, in ${way.name}`, limited, () =>
      new Trial(way, POINTS[name], by).run(),
    );
});
