/** Streams of Anthropic's API that the scripted model does not have. */

interface StreamEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

const usage = { input_tokens: 10, output_tokens: 5 };
const message = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5' },
  ...{ content: [], stop_reason: null, stop_sequence: null, usage },
};
const text = { type: 'text', text: '' };

/** A stream in which the provider itself has searched. */
export function webSearch(): string {
  const found = {
    ...{ type: 'web_search_result', url: 'https://example.com/a', title: 'A' },
    ...{ page_age: null, encrypted_content: 'c2VjcmV0' },
  };
  const use = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} };
  const result = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [found] };
  return streamOf([
    { type: 'message_start', message },
    ...blockOf(0, use, { type: 'input_json_delta', partial_json: '{"query":"a"}' }),
    ...blockOf(1, result),
    ...blockOf(2, text, { type: 'text_delta', text: 'Found it.' }),
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]);
}

function blockOf(index: number, content_block: object, delta?: object): readonly StreamEvent[] {
  return [
    { type: 'content_block_start', index, content_block },
    ...(delta ? [{ type: 'content_block_delta', index, delta }] : []),
    { type: 'content_block_stop', index },
  ];
}

const streamOf = (events: readonly StreamEvent[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
