import { isRecord } from '@toolfold/core/internal/values';
import { cacheDetails } from './cache-marks.ts';
import { chatRefusal, openaiError } from './openai-refusal.ts';
import {
  CREATED_AT,
  type FinishReason,
  type ModelAnswer,
  type WireEvent,
  type WireFormat,
} from './wire-format.ts';

const FINISH_REASONS: Record<FinishReason, string> = {
  stop: 'stop',
  'tool-calls': 'tool_calls',
  length: 'length',
  'content-filter': 'content_filter',
};

/**
 * OpenAI's Chat Completions, as `@ai-sdk/openai` 4.0.118 and `@ai-sdk/openai-compatible` 3.0.92
 * parse it. Reasoning is sent as `reasoning_content`, which only the second one reads.
 */
export const openaiChatCompletions: WireFormat = {
  provider: 'openai-chat',
  base: '/openai/v1',
  path: '/chat/completions',
  plain: plainCompletion,
  events: completionEvents,
  terminator: 'data: [DONE]\n\n',
  error: openaiError,
  refusal: chatRefusal,
};

function plainCompletion(answer: ModelAnswer): unknown {
  const calls = answer.calls.map((call) => ({
    id: call.id ?? answer.newId('call'),
    type: 'function',
    function: { name: call.name, arguments: call.text },
  }));
  const message = {
    role: 'assistant',
    content: answer.text ?? null,
    ...(answer.reasoning !== undefined && { reasoning_content: answer.reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
    refusal: null,
  };
  return {
    id: answer.newId('chatcmpl'),
    object: 'chat.completion',
    created: CREATED_AT,
    model: answer.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: FINISH_REASONS[answer.finish] }],
    usage: usageOf(answer),
  };
}

function* completionEvents(answer: ModelAnswer): Iterable<WireEvent> {
  const id = answer.newId('chatcmpl');
  const chunk = (fields: Record<string, unknown>): WireEvent => ({
    data: {
      id,
      object: 'chat.completion.chunk',
      created: CREATED_AT,
      model: answer.model,
      ...fields,
    },
  });
  const delta = (change: unknown, finish: string | null = null): WireEvent =>
    chunk({ choices: [{ index: 0, delta: change, logprobs: null, finish_reason: finish }] });

  yield delta({ role: 'assistant', content: '' });
  for (const piece of answer.cut(answer.reasoning ?? '')) yield delta({ reasoning_content: piece });
  for (const piece of answer.cut(answer.text ?? '')) yield delta({ content: piece });
  for (const [index, call] of answer.calls.entries()) {
    const opening = { name: call.name, arguments: '' };
    const id = call.id ?? answer.newId('call');
    yield delta({ tool_calls: [{ index, id, type: 'function', function: opening }] });
    for (const piece of answer.cut(call.text)) {
      yield delta({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }
  yield delta({}, FINISH_REASONS[answer.finish]);
  const options = answer.body.stream_options;
  if (isRecord(options) && options.include_usage === true) {
    yield chunk({ choices: [], usage: usageOf(answer) });
  }
}

function usageOf({ usage }: ModelAnswer): Record<string, unknown> {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: cacheDetails(usage),
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  };
}
