import { isDeepStrictEqual } from 'node:util';
import {
  type Agent,
  type ApprovalAnswer,
  eventsOf,
  type ScreenView,
  type StampedEvent,
  screenOf,
} from '@toolfold/agent';
import { openSession, type SessionStore } from '@toolfold/agent/sessions';
import { type RecordedRequest, startModelServer } from '@toolfold/testing';
import { type Fixture, storeOf } from './fixture.ts';
import { agentOf, type Scenario, type World } from './scenario.ts';

/** What an agent on a recorded session says of it, before anything happens. */
export interface Opened {
  readonly messages: Agent['messages'];
  readonly pending: Agent['pending'];
  readonly unknown: Awaited<ReturnType<Agent['unknown']>>;
  readonly spending: Agent['spending'];
  readonly canResume: boolean;
}

/** How a recorded session goes on. */
export interface Continued {
  /** The bodies of all requests, as they were sent. Those of subagents come last, by their text. */
  readonly requests: readonly unknown[];
  /** The tools that have run. */
  readonly ran: readonly string[];
  readonly end: unknown;
  /** Whether the next process finds the same messages. */
  readonly isKept: boolean;
}

/** All that must stay equal for a recorded session. */
export interface Observed {
  readonly screen: ScreenView;
  readonly opened: Opened;
  /** By the way it goes on: `send`, `resume`, `approve` and others. */
  readonly next: Readonly<Record<string, Continued>>;
}

type Ways = Readonly<Record<string, (talk: Agent) => AsyncIterable<StampedEvent>>>;

/** Opens the session as a new process does, and continues it in each way that is possible. */
export async function observe(scenario: Scenario, fixture: Fixture): Promise<Observed> {
  const { screen, opened, ways } = await onSession(scenario, fixture, async (talk, { store }) => {
    const opened = await openedOf(talk);
    const screen = await screenIn(store, fixture.id);
    return { screen, opened, ways: { ...waysOf(opened), ...knownWay(fixture) } };
  });
  const next: Record<string, Continued> = {};
  for (const [name, way] of Object.entries(ways))
    next[name] = await onSession(scenario, fixture, async (talk, { world, requests, reopen }) => {
      let end: StampedEvent | undefined;
      for await (const event of way(talk)) end = event;
      const isKept = isDeepStrictEqual(plain((await reopen()).messages), plain(talk.messages));
      const ran = world.ran.toSorted();
      return { requests: bodiesOf(requests), ran, end: plainEnd(end), isKept };
    });
  return plain({ screen, opened, next }) as Observed;
}

/** As JSON: a session holds nothing else. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

interface Place {
  readonly store: SessionStore;
  /** The agent of the next process. */
  readonly reopen: () => Promise<Agent>;
  readonly world: World;
  readonly requests: readonly RecordedRequest[];
}

async function onSession<T>(
  scenario: Scenario,
  fixture: Fixture,
  work: (talk: Agent, place: Place) => Promise<T>,
): Promise<T> {
  const replies = [...(scenario.next ?? [])];
  const script = () => replies.shift() ?? { text: 'Fine.' };
  await using server = await startModelServer({ script });
  const store = await storeOf(fixture);
  const world: World = { ran: [], isPlayed: false, onHang: () => {} };
  const reopen = async () => {
    const session = await openSession(store, fixture.id);
    return agentOf(scenario, { server, session, world });
  };
  return await work(await reopen(), { store, reopen, world, requests: server.requests });
}

async function openedOf(talk: Agent): Promise<Opened> {
  const { messages, pending, spending, canResume } = talk;
  return { messages, pending, unknown: await talk.unknown(), spending, canResume };
}

/** The ways in which a session can go on. */
function waysOf({ pending, unknown, canResume }: Opened): Ways {
  const answers = (answer: ApprovalAnswer, count = pending.length) =>
    Object.fromEntries(pending.slice(0, count).map(({ approvalId }) => [approvalId, answer]));
  const choices = (choice: 'again' | 'happened') =>
    Object.fromEntries(unknown.map(({ id }) => [id, { choice, note: 'By hand.' }]));
  const denied = { approved: false, reason: 'Not now.' };
  return {
    send: (talk) => talk.send('Go on.'),
    ...(canResume && { resume: (talk) => talk.resume() }),
    ...(canResume &&
      unknown.length > 0 && {
        again: (talk) => talk.resume({ unknown: choices('again') }),
        happened: (talk) => talk.resume({ unknown: choices('happened') }),
      }),
    ...(pending.length > 0 && {
      approve: (talk) => talk.answer(answers({ approved: true })),
      deny: (talk) => talk.answer(answers(denied)),
    }),
    ...(pending.length > 1 && { one: (talk) => talk.answer(answers({ approved: true }, 1)) }),
  };
}

/** A message whose id the session knows is not sent again. */
function knownWay({ entries }: Fixture): Ways {
  const ids = entries.flatMap(({ kind, body }) => (kind === 'user' ? [body.id] : []));
  const id = ids.find((one) => typeof one === 'string');
  return id === undefined ? {} : { known: (talk) => talk.send('Go on.', { id }) };
}

/** The screen of a session and its subagents, rebuilt from their entries alone. */
async function screenIn(store: SessionStore, id: string): Promise<ScreenView> {
  const children = new Map<string, Awaited<ReturnType<SessionStore['read']>>>();
  const collect = async (parent: string): Promise<void> => {
    for (const { id: child } of await store.list({ parent })) {
      children.set(child, await store.read(child));
      await collect(child);
    }
  };
  await collect(id);
  return screenOf(eventsOf(await store.read(id), (child) => children.get(`${id}/${child}`) ?? []));
}

/** The bodies of the agent's requests as they came, then those of its subagents, which work at the same time. */
export function bodiesOf(requests: readonly RecordedRequest[]): readonly unknown[] {
  const isOfChild = ({ raw }: RecordedRequest) => /# Your task\\n/.test(raw);
  const ofChildren = requests.filter(isOfChild).toSorted((a, b) => (a.raw < b.raw ? -1 : 1));
  return [...requests.filter((one) => !isOfChild(one)), ...ofChildren].map(({ body }) => body);
}

/** How a turn has ended, without its place and time. */
function plainEnd(event: StampedEvent | undefined): unknown {
  if (event?.type !== 'end') return event?.type ?? null;
  const { seq: _, turn: __, step: ___, at: ____, error, ...end } = event;
  return { ...end, ...(error ? { error: error.message } : {}) };
}
