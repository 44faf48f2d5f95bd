import nodeCrypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import {
  createSession,
  exportSession,
  memoryStore,
  openSession,
  type SessionStore,
} from '@toolfold/agent/sessions';
import { startModelServer } from '@toolfold/testing';
import { bodiesOf } from './observe.ts';
import { agentOf, modelOf, type Scenario, type Stage, type World } from './scenario.ts';

/** What a scenario has left behind. */
export interface Played {
  /** The lines that `exportSession` writes, without the texts. */
  readonly lines: readonly string[];
  /** The bodies of all requests, in order. */
  readonly requests: readonly unknown[];
}

/** Plays a scenario with a clock, ids and chance that are the same in each run. */
export async function play(scenario: Scenario): Promise<Played> {
  const clock = fixedClock();
  try {
    return await playOn(scenario, clock.store);
  } finally {
    clock.restore();
  }
}

interface FixedClock {
  /** Time passes with each write alone, so the number of times that it is asked for does not matter. */
  readonly store: SessionStore;
  readonly restore: () => void;
}

function fixedClock(): FixedClock {
  const own = { date: Date.now, performance: performance.now, random: Math.random };
  const uuid = nodeCrypto.randomUUID;
  const webUuid = globalThis.crypto.randomUUID;
  let now = Date.UTC(2026, 0, 1);
  let count = 0;
  let seed = 1;
  Date.now = () => now;
  performance.now = () => 0;
  Math.random = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };
  nodeCrypto.randomUUID = () => `id-${++count}` as ReturnType<typeof uuid>;
  globalThis.crypto.randomUUID = nodeCrypto.randomUUID;
  syncBuiltinESMExports();
  const store = memoryStore();
  return {
    store: {
      ...store,
      append: async (entries, options) => {
        await store.append(entries, options);
        now += 1;
      },
    },
    restore: () => {
      Object.assign(Date, { now: own.date });
      Object.assign(performance, { now: own.performance });
      Object.assign(Math, { random: own.random });
      nodeCrypto.randomUUID = uuid;
      globalThis.crypto.randomUUID = webUuid;
      syncBuiltinESMExports();
    },
  };
}

async function playOn(scenario: Scenario, store: SessionStore): Promise<Played> {
  await using server = await startModelServer({ script: scenario.script });
  const id = scenario.name;
  const session = await createSession(store, { id });
  const { promise: hanging, resolve: onHang } = Promise.withResolvers<void>();
  const world: World = { ran: [], isPlayed: true, onHang };
  const place = { server, session, world };
  const talk = agentOf(scenario, place);
  const stage: Stage = {
    ...{ talk, session, hanging },
    reopen: async (changes) =>
      agentOf(scenario, { ...place, session: await openSession(store, id) }, changes),
    model: (modelId) => modelOf(scenario, place, modelId),
    read: gathered,
    free: async () => {
      const owner = await store.holder(id);
      for (let fence = 1; owner && (await store.holder(id)); fence++)
        await store.release({ session: id, fence, owner });
    },
  };
  const kept = (await (scenario.play ?? playOne)(stage)) ?? session;
  const exported = await gathered(exportSession(await openSession(kept.store, kept.id)));
  const lines = withPlainIds(exported.flatMap(withoutText));
  // Each server has another port.
  const withoutPort = lines.map((line) => line.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:1'));
  return { lines: withoutPort, requests: bodiesOf(server.requests) };
}

async function playOne({ talk, read }: Stage): Promise<void> {
  await read(talk.send('Go.'));
}

/** A line of an export, none for a text: the requests have them. */
function withoutText(line: string): readonly string[] {
  const { address, texts, ...rest } = JSON.parse(line);
  if (address !== undefined) return [];
  return [texts === undefined ? line : JSON.stringify({ ...rest, texts: 0 })];
}

/** Ids numbered as they appear: in which order they were made does not matter. */
function withPlainIds(lines: readonly string[]): readonly string[] {
  const known = new Map<string, string>();
  const numbered = (id: string): string => {
    const name = known.get(id) ?? `id-${known.size + 1}`;
    known.set(id, name);
    return name;
  };
  return lines.map((line) => line.replace(/\bid-\d+\b/g, numbered));
}

async function gathered<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
