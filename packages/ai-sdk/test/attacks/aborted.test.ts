// test: harm
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as immediate } from 'node:timers/promises';
import { product } from '@toolfold/testing/test/combinations.test-support.ts';
import { generateText, isStepCount, type ModelMessage, streamText, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import type { ToolHooks, WithOptions } from '../../src/index.ts';
import {
  callOf,
  KINDS,
  type Kind,
  logging,
  MODES,
  nameOf,
  scripted,
} from '../policy/attacks.test-support.ts';
import {
  answered,
  calling,
  each,
  foldOf,
  START,
  STRATEGIES,
  turn,
} from './attacks.test-support.ts';

/** Code of the app that is reached in a turn and waits there. */
interface Gate {
  /** Waits where it is reached, and tells the test. `only`: how many times it lets pass before. */
  readonly pass: (only?: number) => Promise<void>;
  readonly reached: Promise<void>;
  readonly open: () => void;
}

function gate(): Gate {
  const reached = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  let times = 0;
  return {
    pass: async (only = 0) => {
      if (times++ < only) return;
      reached.resolve();
      await opened.promise;
    },
    reached: reached.promise,
    open: opened.resolve,
  };
}

interface Point {
  readonly view?: (gate: Gate, kind: Kind) => WithOptions;
  readonly tool?: (gate: Gate) => object;
  readonly load?: (gate: Gate) => Promise<void>;
  readonly settings?: (kind: Kind) => object;
  /** The user is asked first, and the gate is in the turn after the answer. */
  readonly isResumed?: true;
  /** The call comes after one of another tool, so that its group loads late. */
  readonly isLate?: true;
  readonly skip?: (row: Row) => boolean;
}

const isAct = ({ name }: { name: string }) => name.endsWith('act');
const hooking =
  (only: number, verdict: object = {}) =>
  (gate: Gate): WithOptions => ({
    hooks: {
      beforeToolCall: async (call) => {
        if (!isAct(call)) return;
        await gate.pass(only);
        return verdict;
      },
    },
  });
const setting =
  (only: number, status: string) =>
  (gate: Gate): WithOptions =>
    ({
      toolApproval: async ({ toolCall }: { toolCall: { toolName: string } }) => {
        if (!toolCall.toolName.endsWith('act')) return;
        await gate.pass(only);
        return status;
      },
    }) as WithOptions;
const refine = (kind: Kind) => ({
  experimental_refineToolInput: { [nameOf(kind)]: (input: object) => ({ ...input, text: 'b' }) },
});
/** What is not reached: the group of an own tool, and a late load in `eager`. */
const notLate = ({ kind, strategy }: Row) => kind === 'own' || strategy === 'eager';

const HOOKS: Readonly<Record<string, Point>> = {
  'when the call arrives': { view: hooking(0) },
  'when the SDK asks for approval of a refined input': { view: hooking(1), settings: refine },
  'when an approved call is resumed': { view: hooking(1, { ask: true }), isResumed: true },
  // The schema adds a default, so the hook sees the call again once its group has loaded.
  'when a late call has loaded': { view: hooking(1), isLate: true, skip: notLate },
};

const SLOW: Readonly<Record<string, Point>> = {
  ...Object.fromEntries(
    Object.entries(HOOKS).map(([name, point]) => [`a hook, ${name}`, point] as const),
  ),
  'an observer': {
    view: (gate) => ({ observers: { started: (call) => (isAct(call) ? gate.pass() : undefined) } }),
  },
  'an observer of a resumed call': {
    view: (gate) => ({
      hooks: { beforeToolCall: (call) => ({ ask: isAct(call) }) },
      observers: { started: (call) => (isAct(call) ? gate.pass() : undefined) },
    }),
    isResumed: true,
  },
  'an observer of a late call': {
    view: (gate) => ({ observers: { started: (call) => (isAct(call) ? gate.pass() : undefined) } }),
    isLate: true,
  },
  'a function toolApproval': { view: setting(0, 'approved') },
  'a function toolApproval of a resumed call': {
    view: setting(1, 'user-approval'),
    isResumed: true,
  },
  'a function toolApproval of a late call': { view: setting(0, 'approved'), isLate: true },
  needsApproval: {
    tool: (gate) => ({ needsApproval: () => gate.pass().then(() => false) }),
    // The off switch: the SDK alone asks and runs.
    skip: ({ strategy }) => strategy === 'eager',
  },
  'the loader of the group': { load: (gate) => gate.pass(), skip: ({ kind }) => kind === 'own' },
  'the loader of the group of a late call': {
    load: (gate) => gate.pass(),
    isLate: true,
    skip: notLate,
  },
};

const ROWS = product({ strategy: STRATEGIES, kind: KINDS, mode: MODES });
type Row = (typeof ROWS)[number];
const rowsOf = ({ skip }: Point) => ROWS.filter((row) => !skip?.(row));

/** How long an aborted turn may take until it counts as one that waits for ever. */
const LIMIT = 2_000;

function limited(running: Promise<unknown>): Promise<'settled' | 'still waiting'> {
  const { promise, resolve } = Promise.withResolvers<'still waiting'>();
  const timer = setTimeout(() => resolve('still waiting'), LIMIT);
  const settled = running.then(
    () => 'settled' as const,
    () => 'settled' as const,
  );
  return Promise.race([settled, promise]).finally(() => clearTimeout(timer));
}

/** Starts a turn, and aborts it where the gate is reached. */
async function abortAt(point: Point, { strategy, kind, mode }: Row) {
  const runs: unknown[] = [];
  const at = gate();
  const inputSchema = z.object({ text: z.string(), to: z.string().default('all') });
  const made = logging(runs, { inputSchema, ...point.tool?.(at) });
  const act = tool(made as never) as ToolSet[string];
  const note = tool(logging([]) as never) as ToolSet[string];
  const loader = async () => {
    await point.load?.(at);
    return { act };
  };
  const call = calling(strategy, kind, { text: 'a' });
  const earlier = callOf('note', { text: 'n' }, { toolCallId: 'id_0' });
  const fields = foldOf(strategy, kind, made, scripted([point.isLate ? [earlier, call] : [call]]), {
    fold: {
      tools: { note, ...(kind === 'own' ? { act } : {}) } as ToolSet,
      groups: [{ groupId: 'g', toolNames: ['act'], loader }],
    },
    ...(point.view && { view: point.view(at, kind) }),
  });
  const settings = point.settings?.(kind) ?? {};
  let { messages } = START;
  if (point.isResumed) {
    const asked = await turn(mode, START, fields, settings);
    assert.equal(asked.asked.length, 1, 'the user was not asked');
    ({ messages } = answered(asked));
  }
  const controller = new AbortController();
  const running = run(mode, messages, { ...fields, ...settings, abortSignal: controller.signal });
  // A turn that never gets there ends.
  const where = await Promise.race([at.reached.then(() => 'reached'), running.catch(() => {})]);
  assert.equal(where, 'reached', 'the code of the app was not reached');
  assert.deepEqual(runs, [], 'it ran before');
  controller.abort();
  return { runs, at, running };
}

async function run(mode: (typeof MODES)[number], messages: ModelMessage[], settings: object) {
  const all = { stopWhen: isStepCount(4), maxRetries: 0, messages, ...settings };
  if (mode === 'generateText') return void (await generateText(all as never));
  await streamText({ ...all, onError: () => {} } as never).consumeStream();
}

describe('once a turn is aborted', () => {
  for (const [name, point] of Object.entries(SLOW)) {
    test(`promise 65: no tool starts when slow code goes on: ${name}`, {
      timeout: 120_000,
    }, async () => {
      await each(rowsOf(point), async (row) => {
        const { runs, at, running } = await abortAt(point, row);
        at.open();
        assert.equal(await limited(running), 'settled');
        // What the SDK leaves running goes on with the next ticks.
        for (let ticks = 0; ticks < 10; ticks++) await immediate();
        assert.deepEqual(runs, [], 'it ran after the abort');
      });
    });
  }

  test('promise 65: an afterToolCall hook that never answers keeps nobody waiting', async () => {
    const play = async ({ strategy, kind, mode }: Row) => {
      const runs: unknown[] = [];
      const at = gate();
      const hooks: ToolHooks = { afterToolCall: () => at.pass().then(() => undefined) };
      const steps = scripted([[calling(strategy, kind, { text: 'a' })]]);
      const fields = foldOf(strategy, kind, logging(runs), steps, { view: { hooks } });
      const controller = new AbortController();
      const { signal } = controller;
      const running = run(mode, START.messages, { ...fields, abortSignal: signal });
      await at.reached;
      controller.abort();
      assert.equal(await limited(running), 'settled', 'the turn still waits for the hook');
      assert.equal(runs.length, 1);
    };
    // Each waits for the time that the hook has left.
    await Promise.all(ROWS.map((row) => each([row], play)));
  });

  for (const [name, point] of Object.entries(HOOKS)) {
    test(`promise 65: a hook that never answers keeps nobody waiting: ${name}`, {
      timeout: 120_000,
    }, async () => {
      const play = async (row: Row) => {
        const { runs, running } = await abortAt(point, row);
        assert.equal(await limited(running), 'settled', 'the turn still waits for the hook');
        assert.deepEqual(runs, []);
      };
      await each(rowsOf(point), play, 3);
    });
  }
});
