import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type ReplyCall,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import { combinations, selection } from '@toolfold/testing/test/combinations.test-support.ts';
import { generateText, isStepCount, streamText, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { createFold, type HookedCall } from '../../src/index.ts';
import { ENDPOINTS, modelOn } from '../endpoints.test-support.ts';

const WAYS = ['dispatched', 'dispatched, behind another', 'native', 'own'] as const;
const COUNTS = [1, 100] as const;

interface Counts {
  hooks: number;
  validations: number;
  loads: number;
  runs: number;
  /** How often a raw input was parsed: until the last tool ran, and until the end. */
  parses: number;
  parsesAtRuns: number;
}

const note = tool({ inputSchema: z.object({}), execute: () => 'noted' });

/** A Standard Schema that counts its validations. */
function counting(counts: Counts) {
  const schema = z.object({ text: z.string() });
  const side = {
    version: 1,
    vendor: 'counting',
    jsonSchema: { input: () => z.toJSONSchema(schema, { target: 'draft-7' }) },
    validate: (value: unknown) => {
      counts.validations++;
      return schema['~standard'].validate(value);
    },
  };
  return { '~standard': side } as unknown as typeof schema;
}

function callOf(way: (typeof WAYS)[number], index: number): ReplyCall {
  const input = { text: `text ${index}` };
  if (way === 'own') return { name: 'post', arguments: input };
  if (way === 'native') return { name: 'mail__send', arguments: input };
  return { name: 'deferred_tool_call', arguments: { tool_name: 'mail__send', arguments: input } };
}

/** One response with `times` calls. `isFolded`: Toolfold is between the SDK and the model. */
async function play(
  way: (typeof WAYS)[number],
  times: number,
  mode: 'generate' | 'stream',
  endpoint: (typeof ENDPOINTS)[number],
  isFolded = true,
): Promise<Counts> {
  const counts: Counts = {
    hooks: 0,
    validations: 0,
    loads: 0,
    runs: 0,
    parses: 0,
    parsesAtRuns: 0,
  };
  const counted = tool({
    description: 'Send a text.',
    inputSchema: counting(counts),
    execute: () => {
      counts.runs++;
      counts.parsesAtRuns = counts.parses;
      return 'sent';
    },
  });
  const calls = Array.from({ length: times }, (_, index) => callOf(way, index));
  // Calls of a group that has not loaded wait for the earlier call.
  const first = way === 'dispatched, behind another' ? [{ name: 'note', arguments: {} }] : [];
  await using server = await startModelServer({
    script: [{ calls: [...first, ...calls] }, { text: 'Done.' }],
  });
  const model = modelOn(server, endpoint);
  const fold = createFold({
    tools: { post: counted, note } as ToolSet,
    groups: [
      {
        groupId: 'mcp:mail',
        toolNames: ['send'],
        loader: async () => {
          counts.loads++;
          return { send: counted };
        },
      },
    ],
    strategy: 'dispatch',
  });
  const hooks = {
    beforeToolCall: ({ name }: HookedCall) => {
      if (name !== 'note') counts.hooks++;
      return undefined;
    },
  };
  const plain = { model, tools: { [way === 'own' ? 'post' : 'mail__send']: counted } };
  const fields = isFolded ? fold.with(model, { hooks }) : plain;
  const settings = { ...fields, prompt: 'Go.', stopWhen: isStepCount(3) } as unknown as Parameters<
    typeof generateText
  >[0];
  const raw = new Set(calls.map(({ arguments: given }) => JSON.stringify(given)));
  const { parse } = JSON;
  JSON.parse = (text, reviver) => {
    if (raw.has(text)) counts.parses++;
    return parse(text, reviver);
  };
  try {
    if (mode === 'generate') await generateText(settings);
    else await streamText(settings as Parameters<typeof streamText>[0]).consumeStream();
  } finally {
    JSON.parse = parse;
  }
  assert.equal(counts.runs, times);
  return counts;
}

const MODES = ['generate', 'stream'] as const;
const ROWS = combinations({ endpoint: ENDPOINTS, mode: MODES, times: COUNTS, way: WAYS });

describe(`what one call costs, ${selection}`, () => {
  for (const endpoint of ENDPOINTS) {
    for (const mode of MODES) {
      test(`promise 51: each call is decided once, one or many in one response, ${endpoint.name}, ${mode}`, async () => {
        const rows = ROWS.filter((row) => row.endpoint === endpoint && row.mode === mode);
        for (const { way, times } of rows) {
          const where = `${way}, ${times}`;
          // The SDK parses the input of each call once; what is more, the provider and the server do.
          const plain = await play('native', times, mode, endpoint, false);
          const others = plain.parsesAtRuns - times;
          const counts = await play(way, times, mode, endpoint);
          assert.equal(counts.hooks, times, where);
          assert.equal(counts.loads, way === 'own' ? 0 : 1, where);
          // The SDK checks inputs of the app's own tools by itself, and of no others.
          assert.equal(counts.validations, way === 'own' ? 2 * times : times, where);
          // What was dispatched is a text that only Toolfold reads.
          const isDispatched = way.startsWith('dispatched');
          const ofToolfold = counts.parsesAtRuns - others - (isDispatched ? 0 : times);
          assert.equal(ofToolfold, times, where);
          // The next request reads it as a call of the transcript, of the prompt and of the results.
          assert.ok(counts.parses - counts.parsesAtRuns <= 3 * times, where);
        }
      });
    }
  }
});
