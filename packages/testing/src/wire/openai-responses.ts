import { cacheDetails } from './cache-marks.ts';
import { openaiError, responsesRefusal } from './openai-refusal.ts';
import { declaredSearch, loadedTools, namespacesOf } from './openai-tools.ts';
import { recordsOf } from './recorded-request.ts';
import {
  CREATED_AT,
  type ModelAnswer,
  parsedArguments,
  type ResponseToolCall,
  type WireEvent,
  type WireFormat,
} from './wire-format.ts';

/** OpenAI's Responses API, as `@ai-sdk/openai` 4.0.118 parses it. */
export const openaiResponses: WireFormat = {
  provider: 'openai-responses',
  base: '/openai/v1',
  path: '/responses',
  plain: (answer) => finished(answer, answer.newId('resp'), outputItems(answer)),
  events: responseEvents,
  error: openaiError,
  refusal: responsesRefusal,
};

function outputItems(answer: ModelAnswer): OutputItem[] {
  const items: OutputItem[] = [];
  if (answer.reasoning !== undefined) {
    const id = answer.newId('rs');
    const include = answer.body.include;
    const encrypted = Array.isArray(include) && include.includes('reasoning.encrypted_content');
    items.push({
      type: 'reasoning',
      id,
      summary: [{ type: 'summary_text', text: answer.reasoning }],
      ...(encrypted && { encrypted_content: `encrypted-${id}` }),
    });
  }
  if (answer.text !== undefined) {
    items.push({
      type: 'message',
      id: answer.newId('msg'),
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text: answer.text, annotations: [] }],
    });
  }
  items.push(...answer.calls.map((call) => callItem(answer, call)));
  return items;
}

function* responseEvents(answer: ModelAnswer): Iterable<WireEvent> {
  let sequence = 0;
  const event = (type: string, fields: Record<string, unknown>): WireEvent => ({
    name: type,
    data: { type, sequence_number: sequence++, ...fields },
  });
  const id = answer.newId('resp');
  const items = outputItems(answer);

  yield event('response.created', { response: envelope(answer, id, 'in_progress', []) });
  yield event('response.in_progress', { response: envelope(answer, id, 'in_progress', []) });
  for (const [output_index, item] of items.entries()) {
    yield event('response.output_item.added', { output_index, item: opened(item) });
    for (const [type, fields] of contentEvents(answer, item)) {
      yield event(type, { item_id: item.id, output_index, ...fields });
    }
    yield event('response.output_item.done', { output_index, item });
  }
  const response = finished(answer, id, items);
  yield event(`response.${response.status}`, { response });
}

// An item at its start, before its content is streamed.
function opened(item: OutputItem): Record<string, unknown> {
  if (item.type === 'reasoning') return { ...item, summary: [] };
  if (item.type === 'message') return { ...item, status: 'in_progress', content: [] };
  if (item.type === 'custom_tool_call') return { ...item, status: 'in_progress', input: '' };
  const nothing = item.type === 'tool_search_call' ? {} : '';
  return { ...item, status: 'in_progress', arguments: nothing };
}

function* contentEvents(
  answer: ModelAnswer,
  item: OutputItem,
): Iterable<[type: string, fields: Record<string, unknown>]> {
  if (item.type === 'reasoning') {
    const text = answer.reasoning ?? '';
    const summary_index = 0;
    const part = { type: 'summary_text', text };
    yield ['response.reasoning_summary_part.added', { summary_index, part: { ...part, text: '' } }];
    for (const delta of answer.cut(text)) {
      yield ['response.reasoning_summary_text.delta', { summary_index, delta }];
    }
    yield ['response.reasoning_summary_text.done', { summary_index, text }];
    yield ['response.reasoning_summary_part.done', { summary_index, part }];
  } else if (item.type === 'message') {
    const text = answer.text ?? '';
    const content_index = 0;
    const part = { type: 'output_text', text, annotations: [] };
    yield ['response.content_part.added', { content_index, part: { ...part, text: '' } }];
    for (const delta of answer.cut(text)) {
      yield ['response.output_text.delta', { content_index, delta }];
    }
    yield ['response.output_text.done', { content_index, text }];
    yield ['response.content_part.done', { content_index, part }];
  } else if (item.type === 'custom_tool_call') {
    const text = String(item.input);
    for (const delta of answer.cut(text))
      yield ['response.custom_tool_call_input.delta', { delta }];
    yield ['response.custom_tool_call_input.done', { input: text }];
  } else if (item.type === 'function_call') {
    const text = String(item.arguments);
    for (const delta of answer.cut(text))
      yield ['response.function_call_arguments.delta', { delta }];
    yield ['response.function_call_arguments.done', { arguments: text }];
  }
}

// A complete response is `completed`, with or without calls: there is no finish reason for tools.
function finished(
  answer: ModelAnswer,
  id: string,
  items: readonly OutputItem[],
): Record<string, unknown> {
  const reason = { length: 'max_output_tokens', 'content-filter': 'content_filter' };
  const incomplete =
    answer.finish === 'length' || answer.finish === 'content-filter'
      ? reason[answer.finish]
      : undefined;
  const { usage } = answer;
  return {
    ...envelope(answer, id, incomplete === undefined ? 'completed' : 'incomplete', items),
    incomplete_details: incomplete === undefined ? null : { reason: incomplete },
    usage: {
      input_tokens: usage.input,
      input_tokens_details: cacheDetails(usage),
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: usage.reasoning },
      total_tokens: usage.input + usage.output,
    },
  };
}

function envelope(
  answer: ModelAnswer,
  id: string,
  status: string,
  output: readonly OutputItem[],
): Record<string, unknown> {
  return {
    id,
    object: 'response',
    created_at: CREATED_AT,
    status,
    error: null,
    incomplete_details: null,
    model: answer.model,
    output,
    usage: null,
  };
}

/** An item of a response's `output`. */
interface OutputItem {
  readonly type: string;
  readonly id: string;
  readonly [field: string]: unknown;
}

/**
 * A scripted call as an output item. A call of `tool_search` becomes a search if the client runs tool
 * search itself. A custom tool gets its input as text. A function in a namespace gets the namespace.
 */
function callItem(answer: ModelAnswer, call: ResponseToolCall): OutputItem {
  const status = 'completed';
  if (call.name === 'tool_search' && declaredSearch(answer.body)?.execution === 'client') {
    const id = answer.newId('tsc');
    const call_id = call.id ?? answer.newId('call');
    answer.issue(id, call_id);
    const execution = 'client';
    const type = 'tool_search_call';
    return { type, id, call_id, execution, arguments: parsedArguments(call.text), status };
  }
  if (
    recordsOf(answer.body.tools).some((tool) => tool.type === 'custom' && tool.name === call.name)
  ) {
    const [id, call_id] = [answer.newId('ctc'), call.id ?? answer.newId('call')];
    return { type: 'custom_tool_call', id, call_id, name: call.name, input: call.text, status };
  }
  const known = [
    ...recordsOf(answer.body.tools),
    ...recordsOf(answer.body.input).flatMap((item) => loadedTools(item)),
  ];
  const namespace = namespacesOf(call.name, known).at(-1);
  return {
    type: 'function_call',
    id: answer.newId('fc'),
    call_id: call.id ?? answer.newId('call'),
    name: call.name,
    ...(namespace !== undefined && { namespace }),
    arguments: call.text,
    status,
  };
}
