import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServerConnection, ServerPool } from '../index.ts';
import { KnownServers } from './server-lists.ts';

/** When a server begins to start and when its tools are known, in milliseconds of an unreal clock. */
interface Server {
  readonly from?: number;
  readonly listedAt?: number;
  readonly failsAt?: number;
}

const NEVER = Number.POSITIVE_INFINITY;

/** Servers that are listed at these times. */
const listedAt = (...times: readonly number[]): Server[] =>
  times.map((time) => ({ listedAt: time }));

const hung: Server = {};

/** The last of these starts when the first has started, because few start at once. */
const queued = (from: number, time: number): Server => ({ from, listedAt: time });

interface Case {
  readonly servers: readonly Server[];
  /** How many are known when the list is answered. */
  readonly known: number;
  /** When it is answered at the latest. */
  readonly by: number;
  /** When the client asks. */
  readonly asksAt?: number;
}

const QUICK = [300, 304, 310, 312, 325, 330, 341, 350, 352] as const;

const cases: Readonly<Record<string, Case>> = {
  'all quick': { servers: listedAt(...QUICK), known: 9, by: 352 },
  'nine quick and one that hangs': {
    servers: [...listedAt(...QUICK), hung],
    known: 9,
    by: 352 * 1.06,
  },
  'one that hangs is the first': {
    servers: [hung, ...listedAt(...QUICK)],
    known: 9,
    by: 352 * 1.06,
  },
  'one that hangs began late': {
    servers: [...listedAt(...QUICK.slice(0, 8)), queued(300, 430), { from: 304 }],
    known: 9,
    by: 430 * 1.08,
  },
  'one that began late, on a busy machine': {
    servers: [...listedAt(589, 629, 658, 659, 681, 681, 681, 720), queued(589, 900)],
    known: 9,
    by: 900,
  },
  'one is queued still': {
    servers: [...listedAt(...QUICK.slice(0, 8)), queued(400, 690)],
    known: 9,
    by: 690,
  },
  'nine that come one after another': {
    servers: listedAt(100, 200, 300, 400, 500, 600, 700, 800, 900),
    known: 9,
    by: 900,
  },
  'one that comes a little later than nine': {
    servers: [...listedAt(...QUICK), { listedAt: 365 }],
    known: 10,
    by: 365,
  },
  'half of them hang': { servers: [...listedAt(300, 310), hung, hung], known: 2, by: 710 },
  'all hang': { servers: [hung, hung], known: 0, by: 1500 },
  'lists of an earlier run, and one that hangs': {
    servers: [...listedAt(0, 0, 0, 0), hung],
    known: 4,
    by: 75,
  },
  'some fail at once': {
    servers: [{ failsAt: 2 }, { failsAt: 3 }, ...listedAt(...QUICK)],
    known: 9,
    by: 352,
  },
  'asked late, with one that hangs': {
    servers: [...listedAt(...QUICK), hung],
    known: 9,
    by: 600,
    asksAt: 600,
  },
  'asked when the time is over': { servers: [hung], known: 0, by: 2000, asksAt: 2000 },
};

for (const [name, { servers, known, by, asksAt = 20 }] of Object.entries(cases))
  test(`the first list: ${name}`, async (context) => {
    let clock = 0;
    context.mock.method(performance, 'now', () => clock);
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const listeners = new Set<() => void>();
    const connections = servers.map(({ from = 0, listedAt = NEVER, failsAt = NEVER }) => ({
      get listing() {
        return clock >= listedAt ? {} : undefined;
      },
      get state() {
        return { kind: clock >= failsAt ? 'failed' : clock >= from ? 'connecting' : 'idle' };
      },
      get startedIn() {
        return Math.max(0, Math.min(clock, listedAt) - from);
      },
    }));
    const pool = {
      connections: connections as unknown as readonly ServerConnection[],
      onChange: (listener: () => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    } as unknown as ServerPool;
    const servings = new KnownServers(pool, ({ listing }) => listing !== undefined, 1500);
    let answered: number | undefined;
    for (; answered === undefined && clock <= 2500; clock++) {
      if (clock === asksAt)
        servings.wait().then(() => {
          answered = clock;
        });
      if (servers.some(({ listedAt, failsAt }) => listedAt === clock || failsAt === clock))
        for (const listener of [...listeners]) listener();
      context.mock.timers.tick(1);
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    }
    const then = answered ?? NEVER;
    const listed = servers.filter(({ listedAt = NEVER }) => listedAt <= then).length;
    assert.ok(then <= by + 2, `answered at ${then}`);
    assert.equal(listed, known);
  });
