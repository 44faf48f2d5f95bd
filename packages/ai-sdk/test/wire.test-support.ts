import { isRecord } from '@toolfold/core/internal/values/json.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';

export interface WireCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface WireResult {
  readonly id: string;
  readonly text: string;
}

/** The calls in a recorded request's history, in order, with their inputs parsed. */
export function callsOn({ provider, body }: RecordedRequest): WireCall[] {
  if (provider === 'anthropic') {
    return blocks(body).flatMap((block) =>
      block.type === 'tool_use'
        ? [{ id: String(block.id), name: String(block.name), input: block.input }]
        : [],
    );
  }
  if (provider === 'openai-responses') {
    return records(body.input).flatMap((item) =>
      item.type === 'function_call' || item.type === 'tool_search_call'
        ? [
            {
              id: String(item.call_id),
              name: String(item.name ?? 'tool_search'),
              input: parse(item.arguments),
            },
          ]
        : [],
    );
  }
  return records(body.messages).flatMap((message) =>
    records(message.tool_calls).map((call) => {
      const target = isRecord(call.function) ? call.function : {};
      return { id: String(call.id), name: String(target.name), input: parse(target.arguments) };
    }),
  );
}

/** The tool results in a recorded request's history, in order, as text. */
export function resultsOn({ provider, body }: RecordedRequest): WireResult[] {
  if (provider === 'anthropic') {
    return blocks(body).flatMap((block) =>
      block.type === 'tool_result'
        ? [{ id: String(block.tool_use_id), text: textOf(block.content) }]
        : [],
    );
  }
  if (provider === 'openai-responses') {
    return records(body.input).flatMap((item) =>
      item.type === 'function_call_output' || item.type === 'tool_search_output'
        ? [{ id: String(item.call_id), text: textOf(item.output ?? JSON.stringify(item.tools)) }]
        : [],
    );
  }
  return records(body.messages).flatMap((message) =>
    message.role === 'tool'
      ? [{ id: String(message.tool_call_id), text: textOf(message.content) }]
      : [],
  );
}

/** Names of the tools a recorded request declares, in order. */
export function toolsOn({ body }: RecordedRequest): string[] {
  return records(body.tools).map((tool) =>
    String(isRecord(tool.function) ? tool.function.name : tool.name),
  );
}

/** Names of the tools that a recorded conversation appends or refers to, in order, in every form. */
export function addedOn({ provider, body }: RecordedRequest): string[] {
  if (provider === 'anthropic') {
    return blocks(body).flatMap((block) => {
      if (block.type === 'tool_result')
        return records(block.content).flatMap(({ tool_name: name }) =>
          name ? [String(name)] : [],
        );
      if (block.type !== 'tool_addition' || !isRecord(block.tool)) return [];
      const { name, definition } = block.tool;
      return [String(isRecord(definition) ? definition.name : name)];
    });
  }
  const lists = records(provider === 'openai-chat' ? body.messages : body.input).flatMap((item) =>
    records(item.tools),
  );
  return lists
    .flatMap((tool) => (tool.type === 'namespace' ? records(tool.tools) : [tool]))
    .map((tool) => String(isRecord(tool.function) ? tool.function.name : tool.name));
}

function blocks(body: Readonly<Record<string, unknown>>): Record<string, unknown>[] {
  return records(body.messages).flatMap((message) => records(message.content));
}

function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return records(value)
    .map((part) => String(part.text ?? part.tool_name ?? ''))
    .join('\n');
}

function parse(value: unknown): unknown {
  if (isRecord(value)) return value;
  try {
    return JSON.parse(String(value));
  } catch {
    return value;
  }
}
