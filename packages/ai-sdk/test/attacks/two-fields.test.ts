// test: harm
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { product } from '@toolfold/testing/test/combinations.test-support.ts';
import { type ToolSet, tool } from 'ai';
import type { FoldFields, WithOptions } from '../../src/index.ts';
import {
  callOf,
  KINDS,
  logging,
  nameOf,
  type Prompt,
  resultsIn,
  scripted,
} from '../policy/attacks.test-support.ts';
import {
  answered,
  calling,
  each,
  foldOf,
  ROUTES,
  START,
  STRATEGIES,
  someOf,
  turn,
} from './attacks.test-support.ts';

const INPUT = { text: 'a' };

/** The forms in which the AI SDK takes a setting, each for one status. */
const FORMS: Readonly<Record<string, (name: string, status: unknown) => unknown>> = {
  'a function':
    (name, status) =>
    ({ toolCall }: { toolCall: { toolName: string } }) =>
      toolCall.toolName === name ? status : undefined,
  'an async function': (name, status) => async (asked: { toolCall: { toolName: string } }) =>
    asked.toolCall.toolName === name ? status : undefined,
  'a function by the input':
    (_, status) =>
    ({ toolCall }: { toolCall: { input: { text?: string } } }) =>
      toolCall.input.text === 'a' ? status : undefined,
  'by name': (name, status) => ({ [name]: status }),
  'a function by name': (name, status) => ({ [name]: () => status }),
};
const reason = 'Not on a Friday.';
const STATUSES: Readonly<Record<string, readonly unknown[]>> = {
  'user-approval': ['user-approval', { type: 'user-approval', reason }],
  denied: ['denied', { type: 'denied', reason }],
  approved: ['approved', { type: 'approved' }],
  'not-applicable': ['not-applicable', { type: 'not-applicable' }, undefined],
};

const rows = someOf(
  product({
    strategy: [...STRATEGIES, false],
    kind: KINDS,
    route: ROUTES,
    form: Object.keys(FORMS),
    variant: [0, 1],
    position: ['first', 'later'],
    hasGroups: [true, false],
  }),
);
type Row = (typeof rows)[number];

/** A fold whose app passes on `model` and `tools`, and not `toolApproval`. */
function opened(row: Row, status: string, prompts: Prompt[] = []) {
  const { strategy, kind, form, variant, position, hasGroups } = row;
  const runs: unknown[] = [];
  const setting = FORMS[form]?.(nameOf(kind), STATUSES[status]?.[variant]);
  const note = tool(logging([]) as never) as ToolSet[string];
  const act = tool(logging(runs) as never) as ToolSet[string];
  const spoken = strategy === false ? 'eager' : strategy;
  const call = calling(spoken, kind, INPUT);
  const earlier = callOf('note', { text: 'n' }, { toolCallId: 'id_0' });
  const model = scripted([position === 'later' ? [earlier, call] : [call]], prompts);
  const groups = [{ groupId: 'g', toolNames: ['act'], loader: async () => ({ act }) }];
  const { model: folded, tools } = foldOf(spoken, kind, logging(runs), model, {
    fold: {
      tools: { note, ...(kind === 'own' ? { act } : {}) } as ToolSet,
      groups: kind === 'deferred' || hasGroups ? groups : [],
      ...(strategy === false ? { strategy } : {}),
    },
    view: { toolApproval: setting } as WithOptions,
  });
  return { runs, fields: { model: folded, tools } as FoldFields<ToolSet> };
}

describe('the app spreads only model and tools', () => {
  test('promise 51: a setting that says user-approval: the user is asked, or the call does not run', async () => {
    await each(rows, async (row) => {
      const { runs, fields } = opened(row, 'user-approval');
      const said = await turn(row.route, START, fields);
      assert.deepEqual(runs, [], 'it ran unasked');
      if (said.asked.length === 0) return;
      await turn(row.route, answered(said), fields);
      assert.ok(runs.length <= 1, 'it ran twice');
      for (const input of runs) assert.deepEqual(input, INPUT);
    });
  });

  test('promise 51: a call to which the user says no never runs', async () => {
    await each(rows, async (row) => {
      const { runs, fields } = opened(row, 'user-approval');
      const said = await turn(row.route, START, fields);
      if (said.asked.length > 0) await turn(row.route, answered(said, false), fields);
      assert.deepEqual(runs, []);
    });
  });

  test('promise 51: a setting that says denied: the call never runs, and the model gets a result', async () => {
    await each(rows, async (row) => {
      const prompts: Prompt[] = [];
      const { runs, fields } = opened(row, 'denied', prompts);
      const said = await turn(row.route, START, fields);
      if (said.asked.length > 0) await turn(row.route, answered(said), fields);
      assert.deepEqual(runs, []);
      const [result] = resultsIn(prompts.at(-1)).filter(({ toolCallId }) => toolCallId === 'id_1');
      assert.ok(result, 'the call has no result');
      if (row.variant === 1) assert.match(JSON.stringify(result), /Not on a Friday/);
    });
  });

  test('promise 51: a setting that says denied holds for a call that the history says is approved', async () => {
    await each(rows, async (row) => {
      const asking = opened(row, 'user-approval');
      const said = await turn(row.route, START, asking.fields);
      if (said.asked.length === 0) return;
      const denying = opened(row, 'denied');
      await turn(row.route, answered(said), denying.fields);
      assert.deepEqual(denying.runs, []);
    });
  });

  for (const status of ['approved', 'not-applicable']) {
    test(`control: a setting that says ${status}: the call runs once`, async () => {
      await each(rows, async (row) => {
        const { runs, fields } = opened(row, status);
        const said = await turn(row.route, START, fields);
        assert.deepEqual(said.asked, []);
        assert.deepEqual(runs, [INPUT]);
      });
    });
  }
});
