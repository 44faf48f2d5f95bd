import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { CallEvent } from '@toolfold/core/internal/transcript/transcript.ts';
import { generateText, isStepCount, streamText, type ToolSet } from 'ai';
import { createFold, type Fold, type RequestEvent } from '../../src/index.ts';
import type { Mode } from '../conversation.test-support.ts';
import { foldOptions } from '../folds.test-support.ts';
import { type PartsReply, partsModel, toolCall, USAGE } from './parts-model.test-support.ts';
import { CREATE, MODES } from './rounds.test-support.ts';

const load = (id: string, group_id = 'mcp:github') => toolCall(id, 'load_tools', { group_id });
const call = (id: string) =>
  toolCall(id, 'deferred_tool_call', { tool_name: CREATE, arguments: { title: id } });
const said = (text: string) => ({ type: 'text' as const, text });

/** One generation on a model with these replies, and everything that an app may observe of it. */
async function observe(mode: Mode, replies: readonly PartsReply[], settings: object = {}) {
  const events: CallEvent[] = [];
  const requests: RequestEvent[] = [];
  const warnings: string[] = [];
  const fold = createFold({
    ...foldOptions([]),
    onCall: (event) => events.push(event),
    onRequest: (event) => requests.push(event),
    onWarning: (text) => warnings.push(text),
  }) as unknown as Fold<ToolSet>;
  const model = partsModel(replies);
  const given = { ...fold.with(model), prompt: 'Go.', stopWhen: isStepCount(9), ...settings };
  const parts: { type: string }[] = [];
  const errors: unknown[] = [];
  if (mode === 'generate') {
    const result = await generateText(given as Parameters<typeof generateText>[0]);
    return { result, steps: result.steps, model, events, requests, warnings, parts, errors };
  }
  const result = streamText({
    ...(given as Parameters<typeof streamText>[0]),
    onError: ({ error }) => void errors.push(error),
  });
  for await (const part of result.stream) parts.push(part);
  const steps = await result.steps;
  return { result, steps, model, events, requests, warnings, parts, errors };
}

const TWO_LOADS: readonly PartsReply[] = [
  { content: [said('one'), load('a')] },
  { content: [said('two'), load('b', 'mcp:none'), load('c', 'mcp:linear')] },
  { content: [said('three'), call('d')] },
  { content: [said('four')] },
];

for (const mode of MODES) {
  describe(`what an app observes of rounds inside a model call, ${mode}`, () => {
    test('usage is the sum, and the metadata has its parts', async () => {
      const { steps } = await observe(mode, TWO_LOADS);
      const [first, second] = steps;
      assert.ok(first && second);
      assert.equal(first.usage.inputTokens, 3 * 10);
      assert.equal(first.usage.outputTokens, 3 * 5);
      assert.deepEqual(first.usage.inputTokenDetails, {
        ...{ noCacheTokens: 18, cacheReadTokens: 9, cacheWriteTokens: 3 },
      });
      assert.deepEqual(first.usage.outputTokenDetails, { textTokens: 12, reasoningTokens: 3 });
      assert.deepEqual(first.providerMetadata?.toolfold, { requests: [USAGE, USAGE, USAGE] });
      assert.equal(second.usage.inputTokens, 10);
      assert.equal(second.providerMetadata?.toolfold, undefined);
    });

    test('the reason to finish and the response are those of the last request', async () => {
      const { steps } = await observe(mode, TWO_LOADS);
      assert.deepEqual(
        steps.map(({ finishReason, response }) => [finishReason, response.id]),
        [
          ['tool-calls', 'response-3'],
          ['stop', 'response-4'],
        ],
      );
    });

    test('there is one event for each call and each request, and a warning for each failure', async () => {
      const { events, requests, warnings, model } = await observe(mode, [
        { content: [load('a'), load('b', 'mcp:flaky')] },
        { content: [load('c', 'mcp:flaky')] },
        { content: [call('d')] },
        { content: [said('four')] },
      ]);
      assert.deepEqual(
        events.map(({ id }) => id),
        ['a', 'b', 'c', 'd'],
      );
      assert.equal(requests.length, 4);
      assert.equal(model.prompts.length, 4);
      assert.equal(warnings.length, 2, warnings.join('\n'));
    });

    test('a model call of one request is as the model gave it', async () => {
      const { steps } = await observe(mode, [{ content: [said('only')] }]);
      assert.deepEqual(steps[0]?.usage.inputTokens, 10);
      assert.equal(steps[0]?.providerMetadata?.toolfold, undefined);
      assert.equal(steps[0]?.text, 'only');
    });

    test('the content has all rounds in order, each call before its result', async () => {
      const { steps } = await observe(mode, TWO_LOADS);
      const kinds = steps[0]?.content.flatMap((part) => {
        if (part.type === 'text') return [part.text];
        return 'toolCallId' in part ? [`${part.type} ${part.toolCallId}`] : [];
      });
      assert.deepEqual(kinds, [
        ...['one', 'tool-call a', 'tool-result a'],
        ...['two', 'tool-call b', 'tool-call c', 'tool-error b', 'tool-result c'],
        ...['three', 'tool-call d', 'tool-result d'],
      ]);
    });

    test('calls with the same ids in each response stay apart', async () => {
      const { steps, events, model } = await observe(mode, [
        { content: [load('0'), load('1', 'mcp:linear')] },
        { content: [load('0', 'mcp:linear')] },
        { content: [call('0')] },
        { content: [said('end')] },
      ]);
      const ids = steps[0]?.toolCalls.map(({ toolCallId }) => toolCallId) ?? [];
      assert.equal(new Set(ids).size, 4);
      assert.equal(events.length, 4);
      // The model sees its own ids, and where one would stand twice in a request, one of its own.
      const last = JSON.parse(model.prompts.at(-1) ?? '[]') as { content: unknown }[];
      const sent = JSON.stringify(last.map(({ content }) => content));
      assert.deepEqual(
        [...sent.matchAll(/"type":"tool-call","toolCallId":"(\w+)"/g)].map(([, id]) => id),
        ['0', '1', '0_2', '0_3'],
      );
    });
  });
}

describe('streams of rounds inside a model call', () => {
  test('texts of different rounds have different ids, and each begins and ends once', async () => {
    const replies = TWO_LOADS.map(({ content }) => ({
      content: [{ type: 'reasoning' as const, text: 'hm' }, ...content],
    }));
    const { parts } = await observe('stream', replies);
    for (const kind of ['text', 'reasoning']) {
      const of = (end: string) =>
        parts.flatMap((part) =>
          part.type === `${kind}-${end}` ? [(part as unknown as { id: string }).id] : [],
        );
      // The last text belongs to the next step, which counts anew.
      assert.equal(new Set(of('start').slice(0, 3)).size, 3);
      assert.deepEqual(of('start'), of('end'));
    }
  });

  test('raw chunks and metadata of all responses are passed on', async () => {
    const raw = (rawValue: number): LanguageModelV4StreamPart => ({ type: 'raw', rawValue });
    const replies = [
      { content: [load('a')], extra: [raw(1)] },
      { content: [said('end')], extra: [raw(2)] },
    ];
    const { parts } = await observe('stream', replies, { include: { rawChunks: true } });
    const values = parts.flatMap((part) =>
      part.type === 'raw' ? [(part as unknown as { rawValue: number }).rawValue] : [],
    );
    assert.deepEqual(values, [1, 2]);
  });

  test('an error part in a response with a load ends the model call', async () => {
    const error = new Error('overloaded');
    const replies: PartsReply[] = [
      { content: [load('a')] },
      { content: [load('b', 'mcp:linear')], extra: [{ type: 'error', error }] },
      { content: [said('never')] },
    ];
    const { errors, model, parts } = await observe('stream', replies, { stopWhen: isStepCount(1) });
    assert.equal(model.prompts.length, 2);
    assert.deepEqual(errors, [error]);
    const results = parts.filter(({ type }) => type === 'tool-result');
    assert.equal(results.length, 2, 'each call has its result');
  });

  test('calls without parts for their input are answered too', async () => {
    const replies = TWO_LOADS.map((reply) => ({ ...reply, isBare: true }));
    const { steps } = await observe('stream', replies);
    assert.equal(steps.length, 2);
  });

  test('a model call starts and finishes once', async () => {
    const { parts } = await observe('stream', TWO_LOADS);
    const count = (type: string) => parts.filter((part) => part.type === type).length;
    assert.deepEqual([count('start'), count('finish')], [1, 1]);
    assert.deepEqual([count('start-step'), count('finish-step')], [2, 2]);
  });
});
