import { isRecord } from '../../tools/values/index.ts';
import {
  CREATED_AT,
  type ReplyFinish,
  type Turn,
  type WireEvent,
  type WireFormat,
} from '../wire/index.ts';
import { chatRefusal, openaiError } from './refusal.ts';

const FINISH_REASONS: Record<ReplyFinish, string> = {
  stop: 'stop',
  'tool-calls': 'tool_calls',
  length: 'length',
  'content-filter': 'content_filter',
};

/**
 * OpenAI's Chat Completions, as `@ai-sdk/openai` 4.0.118 and `@ai-sdk/openai-compatible` 3.0.92
 * parse it. Reasoning is sent as `reasoning_content`, which only the second one reads.
 */
export const openaiChatWire: WireFormat = {
  provider: 'openai-chat',
  base: '/openai/v1',
  path: '/chat/completions',
  plain: plainCompletion,
  events: completionEvents,
  terminator: 'data: [DONE]\n\n',
  error: openaiError,
  refusal: chatRefusal,
};

function plainCompletion(turn: Turn): unknown {
  const calls = turn.calls.map((call) => ({
    id: call.id ?? turn.newId('call'),
    type: 'function',
    function: { name: call.name, arguments: call.text },
  }));
  const message = {
    role: 'assistant',
    content: turn.text ?? null,
    ...(turn.reasoning !== undefined && { reasoning_content: turn.reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
    refusal: null,
  };
  return {
    id: turn.newId('chatcmpl'),
    object: 'chat.completion',
    created: CREATED_AT,
    model: turn.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: FINISH_REASONS[turn.finish] }],
    usage: usageOf(turn),
  };
}

function* completionEvents(turn: Turn): Iterable<WireEvent> {
  const id = turn.newId('chatcmpl');
  const chunk = (fields: Record<string, unknown>): WireEvent => ({
    data: {
      id,
      object: 'chat.completion.chunk',
      created: CREATED_AT,
      model: turn.model,
      ...fields,
    },
  });
  const delta = (change: unknown, finish: string | null = null): WireEvent =>
    chunk({ choices: [{ index: 0, delta: change, logprobs: null, finish_reason: finish }] });

  yield delta({ role: 'assistant', content: '' });
  for (const piece of turn.cut(turn.reasoning ?? '')) yield delta({ reasoning_content: piece });
  for (const piece of turn.cut(turn.text ?? '')) yield delta({ content: piece });
  for (const [index, call] of turn.calls.entries()) {
    const opening = { name: call.name, arguments: '' };
    const id = call.id ?? turn.newId('call');
    yield delta({ tool_calls: [{ index, id, type: 'function', function: opening }] });
    for (const piece of turn.cut(call.text)) {
      yield delta({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }
  yield delta({}, FINISH_REASONS[turn.finish]);
  const options = turn.body.stream_options;
  if (isRecord(options) && options.include_usage === true) {
    yield chunk({ choices: [], usage: usageOf(turn) });
  }
}

function usageOf({ usage }: Turn): Record<string, unknown> {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  };
}
