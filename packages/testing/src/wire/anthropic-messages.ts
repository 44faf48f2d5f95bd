import { createHash } from 'node:crypto';
import { anthropicRefusal } from './anthropic-refusal.ts';
import {
  type FinishReason,
  type ModelAnswer,
  parsedArguments,
  type WireEvent,
  type WireFormat,
} from './wire-format.ts';

const STOP_REASONS: Record<FinishReason, string> = {
  stop: 'end_turn',
  'tool-calls': 'tool_use',
  length: 'max_tokens',
  'content-filter': 'refusal',
};

// docs.claude.com, Messages API, "Errors".
const ERROR_TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

/** Anthropic's Messages API, as `@ai-sdk/anthropic` 4.0.105 parses it. */
export const anthropicMessages: WireFormat = {
  provider: 'anthropic',
  base: '/anthropic/v1',
  path: '/messages',
  plain: plainMessage,
  events: messageEvents,
  error: (status, message, code) => ({
    type: 'error',
    error: {
      type: ERROR_TYPES[status] ?? 'api_error',
      message,
      ...(code !== undefined && { details: { error_code: code } }),
    },
  }),
  refusal: (request) => anthropicRefusal(request, thinkingSignature),
};

function plainMessage(answer: ModelAnswer): unknown {
  const content: unknown[] = [];
  if (answer.reasoning !== undefined) {
    const thinking = answer.reasoning;
    content.push({ type: 'thinking', thinking, signature: thinkingSignature(thinking) });
  }
  if (answer.text !== undefined) content.push({ type: 'text', text: answer.text });
  for (const call of answer.calls) {
    content.push({
      type: 'tool_use',
      id: call.id ?? answer.newId('toolu'),
      name: call.name,
      input: parsedArguments(call.text),
    });
  }
  return {
    ...envelope(answer),
    content,
    stop_reason: STOP_REASONS[answer.finish],
    stop_sequence: null,
    usage: { ...inputUsage(answer), output_tokens: answer.usage.output },
  };
}

function* messageEvents(answer: ModelAnswer): Iterable<WireEvent> {
  yield event({
    type: 'message_start',
    message: {
      ...envelope(answer),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...inputUsage(answer), output_tokens: 1 },
    },
  });
  let index = 0;
  if (answer.reasoning !== undefined) {
    yield* block(index++, { type: 'thinking', thinking: '', signature: '' }, [
      ...answer.cut(answer.reasoning).map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: thinkingSignature(answer.reasoning) },
    ]);
  }
  if (answer.text !== undefined) {
    const deltas = answer.cut(answer.text).map((text) => ({ type: 'text_delta', text }));
    yield* block(index++, { type: 'text', text: '' }, deltas);
  }
  for (const call of answer.calls) {
    const id = call.id ?? answer.newId('toolu');
    const pieces = ['', ...answer.cut(call.text)];
    yield* block(
      index++,
      { type: 'tool_use', id, name: call.name, input: {} },
      pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
    );
  }
  yield event({
    type: 'message_delta',
    delta: { stop_reason: STOP_REASONS[answer.finish], stop_sequence: null },
    usage: { output_tokens: answer.usage.output },
  });
  yield event({ type: 'message_stop' });
}

function* block(index: number, start: unknown, deltas: Iterable<unknown>): Iterable<WireEvent> {
  yield event({ type: 'content_block_start', index, content_block: start });
  for (const delta of deltas) yield event({ type: 'content_block_delta', index, delta });
  yield event({ type: 'content_block_stop', index });
}

function event(data: { readonly type: string; readonly [field: string]: unknown }): WireEvent {
  return { name: data.type, data };
}

function envelope(answer: ModelAnswer): Record<string, unknown> {
  return { id: answer.newId('msg'), type: 'message', role: 'assistant', model: answer.model };
}

// `input_tokens` counts only tokens that were neither read from the cache nor written to it.
function inputUsage({ usage }: ModelAnswer): Record<string, unknown> {
  return {
    input_tokens: usage.input - usage.cached - usage.written,
    cache_creation_input_tokens: usage.written,
    cache_read_input_tokens: usage.cached,
    cache_creation: {
      ephemeral_5m_input_tokens: usage.written - usage.writtenForHour,
      ephemeral_1h_input_tokens: usage.writtenForHour,
    },
  };
}

// The signature depends only on the text. So the server detects altered thinking like the real one,
// even if another process sent it.
function thinkingSignature(thinking: string): string {
  return createHash('sha256').update(thinking).digest('base64');
}
