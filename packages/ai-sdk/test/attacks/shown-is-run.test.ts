// test: harm
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  everyValue,
  isQuick,
  product,
  selected,
  selection,
} from '@toolfold/testing/test/combinations.test-support.ts';
import { type ToolSet, tool } from 'ai';
import { z } from 'zod';
import type { HookedCall, WithOptions } from '../../src/index.ts';
import {
  callOf,
  KINDS,
  logging,
  type Part,
  type Prompt,
  resultsIn,
  scripted,
} from '../policy/attacks.test-support.ts';
import {
  answered,
  calling,
  each,
  foldOf,
  type Question,
  START,
  STRATEGIES,
  textOf,
  turn,
} from './attacks.test-support.ts';

class Path {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

interface Schema {
  readonly schema: () => unknown;
  readonly written: object;
  /** What runs, as JSON. Undefined: it never runs, or with what was shown. */
  readonly final?: object;
}

const text = (make: (value: string) => unknown) => z.object({ to: z.string().transform(make) });
let count = 0;

/** A schema of another library, which knows no more than the standard. */
const standard = (validate: (value: { to: string }) => unknown) => ({
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value: unknown) => ({ value: validate(value as { to: string }) }),
    jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
  },
});

const SCHEMAS: Readonly<Record<string, Schema>> = {
  'changes nothing': {
    schema: () => z.object({ to: z.string() }),
    written: { to: 'bob' },
    final: { to: 'bob' },
  },
  strips: {
    schema: () => z.object({ to: z.string() }),
    written: { to: 'bob', dryRun: true },
    final: { to: 'bob' },
  },
  'strips, of another library': {
    schema: () => standard(({ to }) => ({ to })),
    written: { to: 'bob', dryRun: true },
    final: { to: 'bob' },
  },
  'adds a default': {
    schema: () => z.object({ to: z.string(), cc: z.string().default('all') }),
    written: { to: 'bob' },
    final: { to: 'bob', cc: 'all' },
  },
  coerces: {
    schema: () => z.object({ to: z.string(), n: z.coerce.number() }),
    written: { to: 'bob', n: '3' },
    final: { to: 'bob', n: 3 },
  },
  'transforms a path': {
    schema: () => text((to) => to.replace(/^~/, '/home/admin')),
    written: { to: '~/x' },
    final: { to: '/home/admin/x' },
  },
  'makes a date': { schema: () => text((to) => new Date(to)), written: { to: '2026-01-01' } },
  'makes a map': { schema: () => text((to) => new Map([['to', to]])), written: { to: 'bob' } },
  'makes a set': { schema: () => text((to) => new Set([to])), written: { to: 'bob' } },
  'makes an instance of a class': {
    schema: () => text((to) => new Path(to)),
    written: { to: 'a' },
  },
  'makes undefined': { schema: () => text(() => undefined), written: { to: 'bob' } },
};

const UNSTABLE: Readonly<Record<string, Schema>> = {
  counts: { schema: () => text((to) => `${to} ${++count}`), written: { to: 'bob' } },
  'is random': { schema: () => text((to) => `${to} ${Math.random()}`), written: { to: 'bob' } },
  'counts, of another library': {
    schema: () => standard(({ to }) => ({ to: `${to} ${++count}` })),
    written: { to: 'bob' },
  },
};

/** Who asks. `needsApproval` is known only once the group has loaded. */
const ASKERS: Readonly<Record<string, { readonly view?: WithOptions; readonly tool?: object }>> = {
  'a hook': { view: { hooks: { beforeToolCall: ({ name }) => ({ ask: name.endsWith('act') }) } } },
  'the setting': {
    view: {
      toolApproval: ({ toolCall: { toolName } }: { toolCall: { toolName: string } }) =>
        toolName.endsWith('act') ? 'user-approval' : undefined,
    },
  },
  needsApproval: { tool: { needsApproval: true } },
};
const ALL = product({
  strategy: STRATEGIES,
  kind: KINDS,
  route: ['generateText', 'streamText', 'agent UI'] as const,
  asker: Object.keys(ASKERS),
  position: ['first', 'late'] as const,
});
type Row = (typeof ALL)[number];
/** Whether the group of the tool has not loaded when its call arrives. */
const isLate = ({ position, kind, strategy }: Row) =>
  position === 'late' && kind === 'deferred' && strategy !== 'eager';
const LATE = ALL.filter(isLate);
const ROWS: readonly Row[] = [
  ...(isQuick ? everyValue(LATE) : LATE),
  // Without hooks `eager` is the off switch: the SDK asks about what `tools` tell it.
  ...selected(
    ALL.filter((row) => !isLate(row) && (row.strategy !== 'eager' || row.asker === 'a hook')),
  ),
];

interface Played {
  readonly runs: readonly string[];
  readonly asked: readonly Question[];
  /** The ids of calls whose result is `approval_needed`. */
  readonly refused: ReadonlySet<string>;
}

/** The model calls the tool until it has run, and the user approves each question. */
async function play(
  { strategy, kind, route, asker, position }: Row,
  { schema, written }: Schema,
  { view, tool: more }: (typeof ASKERS)[string] = ASKERS[asker] ?? {},
): Promise<Played> {
  const runs: string[] = [];
  const prompts: Prompt[] = [];
  const execute = (input: unknown) => {
    runs.push(textOf(input));
    return 'ran';
  };
  const made = { inputSchema: schema(), execute, ...more };
  const act = tool(made as never) as ToolSet[string];
  const ping = tool(logging([]) as never) as ToolSet[string];
  const groups = [
    { groupId: 'early', toolNames: ['ping'], loader: async () => ({ ping }) },
    { groupId: 'g', toolNames: ['act'], loader: async () => ({ act }) },
  ];
  const steps: Part[][] = [];
  for (let index = 0; index < 5; index++) {
    const call = calling(strategy, kind, written, `act_${index}`);
    const earlier = callOf('early__ping', { text: 'a' }, { toolCallId: 'ping_0' });
    const calls = index === 0 && position === 'late' ? [earlier, call] : [call];
    const done = [{ type: 'text', text: 'Done.' }];
    Object.defineProperty(steps, index, { get: () => (runs.length > 0 ? done : calls) });
  }
  const fields = foldOf(strategy, kind, made, scripted(steps, prompts), {
    fold: { groups, tools: kind === 'own' ? { act } : {} },
    ...(view && { view }),
  });
  const asked: Question[] = [];
  let talk = START;
  for (let index = 0; index < 4; index++) {
    const before = runs.length;
    const said = await turn(route, talk, fields).catch((error: Error) => {
      // The SDK refuses UI messages whose input is not what the schema of an own tool makes.
      if (kind === 'own' && route === 'agent UI' && index > 0) return;
      throw error;
    });
    if (!said) break;
    const last = asked.at(-1);
    // What is no JSON is shown in the reason.
    const isNamed = last?.reason.includes('The tool gets {"to":') === true;
    if (runs.length > before && !isNamed)
      assert.equal(runs.at(-1), last?.text ?? 'nothing', 'ran, not as shown');
    asked.push(...said.asked);
    if (said.asked.length === 0) break;
    talk = answered(said);
  }
  const refused = prompts
    .flatMap(resultsIn)
    .flatMap(({ toolCallId, output }) =>
      JSON.stringify(output).includes('approval_needed') ? toolCallId : [],
    );
  return { runs, asked, refused: new Set(refused) };
}

describe(`what runs is what the user was shown, ${selection}`, () => {
  for (const [name, made] of Object.entries(SCHEMAS)) {
    test(`promise 66: a schema that ${name}`, async () => {
      await each(ROWS, async (row) => {
        const { runs, asked, refused } = await play(row, made);
        // The SDK cannot compare such inputs of an own tool, and refuses each approval.
        const isOfSdk = !made.final && row.kind === 'own';
        assert.ok(isOfSdk || asked.length <= 2, `asked ${asked.length} times`);
        assert.ok(isOfSdk || refused.size <= 1, `${refused.size} times approval_needed`);
        if (!made.final) return;
        assert.deepEqual(runs, [textOf(made.final)], 'it did not run once');
        assert.equal(asked.length, 1 + (refused.size && row.asker !== 'needsApproval' ? 1 : 0));
        const isLate =
          row.position === 'late' && row.kind === 'deferred' && row.strategy !== 'eager';
        const isShownAnew = textOf(made.written) !== textOf(made.final);
        const needs = isLate && (isShownAnew || row.asker === 'needsApproval');
        assert.equal(refused.size, needs ? 1 : 0, 'refusals as approval_needed');
      });
    });
  }

  for (const [name, made] of Object.entries(UNSTABLE)) {
    test(`promise 66: a schema that ${name}: its calls never run, and the user is not asked again and again`, async () => {
      await each(ROWS, async (row) => {
        const { runs, asked } = await play(row, made);
        assert.deepEqual(runs, []);
        // The schema of an own tool is the SDK's to apply; the user is asked what came of it.
        if (row.kind === 'deferred') assert.ok(asked.length <= 1, `asked ${asked.length} times`);
      });
    });
  }

  test('promise 66: arguments that a hook returns are the ones that are shown, and that run', async () => {
    const rows = ROWS.filter(({ asker }) => asker === 'a hook');
    const isAct = ({ name }: HookedCall) => name.endsWith('act');
    const change = (call: HookedCall) => (isAct(call) ? { arguments: { to: 'alice' } } : undefined);
    const ask = (call: HookedCall) => ({ ask: isAct(call) });
    const both = (call: HookedCall) => ({ ...change(call), ...ask(call) });
    for (const beforeToolCall of [both, [change, ask], [ask, change]])
      await each(rows, async (row) => {
        const view = { hooks: { beforeToolCall } };
        const { runs, asked } = await play(row, SCHEMAS.strips ?? assert.fail(), { view });
        const shown = asked.map(({ text }) => text);
        assert.deepEqual(shown, [textOf({ to: 'alice' })]);
        assert.deepEqual(runs, shown);
      });
  });
});
