// test: harm
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { product } from '@toolfold/testing/test/combinations.test-support.ts';
import { jsonSchema, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import type { WithOptions } from '../../src/index.ts';
import {
  callOf,
  KINDS,
  logging,
  nameOf,
  type Part,
  type Prompt,
  resultsIn,
  scripted,
} from '../policy/attacks.test-support.ts';
import { calling, each, foldOf, START, STRATEGIES, someOf, turn } from './attacks.test-support.ts';

const SCHEMAS: Readonly<Record<string, { readonly schema: unknown; readonly final: object }>> = {
  'changes nothing': { schema: jsonSchema({ type: 'object' }), final: { text: 'ok', more: 'x' } },
  strips: { schema: z.object({ text: z.string() }), final: { text: 'ok' } },
  'adds a default': {
    schema: z.object({ text: z.string(), more: z.string(), to: z.string().default('all') }),
    final: { text: 'ok', more: 'x', to: 'all' },
  },
  'reorders the keys': {
    schema: z.object({ more: z.string(), text: z.string() }),
    final: { more: 'x', text: 'ok' },
  },
  transforms: {
    schema: z.object({ text: z.string().transform((text) => `${text}!`) }),
    final: { text: 'ok!' },
  },
  'adds a default to nothing': {
    schema: z.object({ text: z.string().default('all') }),
    final: { text: 'ok' },
  },
};
const ARGUMENTS = { text: 'a', more: 'x' };

/** The second name. */
const SECOND = ['another', 'note', 'nothing'] as const;
const FORMS: Readonly<Record<string, (name: string, second: string, input: string) => string>> = {
  'name, arguments, name': (name, second, input) => `{${name},"arguments":${input},${second}}`,
  'name, name, arguments': (name, second, input) => `{${name},${second},"arguments":${input}}`,
};

const VIEWS: Readonly<Record<string, WithOptions>> = {
  'no hooks': {},
  'a hook that allows': { hooks: { beforeToolCall: () => undefined } },
  'a setting that approves': { toolApproval: () => 'approved' },
};

function rows() {
  return someOf(
    product({
      strategy: STRATEGIES,
      kind: KINDS,
      route: ['streamText', 'agent UI'] as const,
      form: Object.keys(FORMS),
      second: SECOND,
      input: [ARGUMENTS, {}],
      view: Object.keys(VIEWS),
      isLoaded: [true, false],
      size: [3, 20, 1_000],
    }),
  );
}
type Row = ReturnType<typeof rows>[number];

/** A call as it is streamed: its input in pieces, and then as a whole. */
function streamed(call: Part, size: number): Part[] {
  const {
    toolCallId: id,
    toolName,
    input,
  } = call as unknown as {
    toolCallId: string;
    toolName: string;
    input: string;
  };
  const pieces = input.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
  return [
    { type: 'tool-input-start', id, toolName },
    ...pieces.map((delta) => ({ type: 'tool-input-delta', id, delta })),
    { type: 'tool-input-end', id },
    call,
  ];
}

/** The tools that ran, and the results of the malformed call. */
async function play(row: Row, schema: unknown) {
  const { strategy, kind, route, form, second, input, view, isLoaded, size } = row;
  const prompts: Prompt[] = [];
  const runs: unknown[] = [];
  const others: unknown[] = [];
  const made = logging(runs, { inputSchema: schema });
  const act = tool(made as never) as ToolSet[string];
  const other = tool(logging(others, { inputSchema: schema }) as never) as ToolSet[string];
  const isBridge = strategy === 'bridge';
  const key = isBridge ? 'name' : 'tool_name';
  const names = { another: kind === 'own' ? 'another' : 'g__another', note: 'note', nothing: 'no' };
  const text = FORMS[form]?.(
    `"${key}":"${nameOf(kind)}"`,
    `"${key}":"${names[second]}"`,
    JSON.stringify(input),
  );
  const envelope = callOf(isBridge ? 'tool_call' : 'deferred_tool_call', text ?? assert.fail());
  const valid = callOf(nameOf(kind), { text: 'ok', more: 'x' }, { toolCallId: 'id_2' });
  const loads = isLoaded && kind === 'deferred' && strategy !== 'eager';
  const model = scripted(
    [
      ...(loads ? [[calling(strategy, kind, { text: 'ok', more: 'x' }, 'id_0')]] : []),
      streamed(envelope, size),
      [valid],
    ],
    prompts,
  );
  const tools: ToolSet = kind === 'own' ? { act, another: other } : {};
  const loader = async () => ({ act, another: other });
  const fields = foldOf(strategy, kind, made, model, {
    fold: {
      tools: { note: tool(logging(others) as never) as ToolSet[string], ...tools },
      groups: [{ groupId: 'g', toolNames: ['act', 'another'], loader }],
    },
    view: VIEWS[view] ?? {},
  });
  await turn(route, START, fields);
  const results = resultsIn(prompts.at(-1)).filter(({ toolCallId }) => toolCallId === 'id_1');
  return { runs: loads ? runs.slice(1) : runs, others, results };
}

describe('a call that is refused as malformed when it arrives', () => {
  for (const [name, { schema, final }] of Object.entries(SCHEMAS)) {
    test(`promise 51: two names in one streamed envelope run no tool, and the next call runs: a schema that ${name}`, async () => {
      await each(rows(), async (row) => {
        const { runs, others, results } = await play(row, schema);
        assert.deepEqual(others, [], 'the second tool ran');
        assert.deepEqual(runs, [final], 'runs of the tool that is named first');
        assert.equal(results.length, 1, 'the model gets no result of the malformed call');
      });
    });
  }
});
