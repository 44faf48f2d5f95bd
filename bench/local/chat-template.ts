/**
 * A prompt for a chat model, in ChatML, with tools and calls as models of the Qwen family read
 * them. Tools are JSON in the system message, before every other message.
 */

interface Call {
  readonly function: { readonly name: string; readonly arguments: string };
}

interface Message {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly Call[];
}

/** The body of a request for chat completions, in OpenAI's form. */
export interface ChatRequest {
  readonly messages: readonly Message[];
  readonly tools?: readonly unknown[];
}

/** The text that the model reads, up to the start of its answer. */
export function renderPrompt({ messages, tools = [] }: ChatRequest): string {
  const [first] = messages;
  const system = first?.role === 'system' ? textOf(first.content) : '';
  const rest = first?.role === 'system' ? messages.slice(1) : messages;
  const opening = [system, toolsText(tools)].filter((part) => part !== '').join('\n\n');
  const turns = rest.map((message, index) => turnOf(message, rest[index - 1], rest[index + 1]));
  return [
    opening === '' ? '' : framed('system', opening),
    ...turns,
    '<|im_start|>assistant\n',
  ].join('');
}

/** The text of an answer, as the model writes it. */
export function renderAnswer(answer: Pick<Message, 'content' | 'tool_calls'>): string {
  const { content, tool_calls: calls = [] } = answer;
  return [textOf(content), ...calls.map(callText)].filter((part) => part !== '').join('\n');
}

function toolsText(tools: readonly unknown[]): string {
  if (tools.length === 0) return '';
  return [
    '# Tools\n\nYou can call these functions. Their signatures are inside <tools></tools>:',
    `<tools>\n${tools.map(spacedJson).join('\n')}\n</tools>\n`,
    'For each call, answer with a JSON object with the name and the arguments of the function, inside <tool_call></tool_call>:',
    '<tool_call>\n{"name": <name>, "arguments": <object>}\n</tool_call>',
  ].join('\n');
}

function turnOf(message: Message, before: Message | undefined, after: Message | undefined): string {
  const { role, content } = message;
  if (role === 'tool') {
    // Consecutive results share one turn.
    const opens = before?.role === 'tool' ? '' : '<|im_start|>user';
    const closes = after?.role === 'tool' ? '' : '<|im_end|>\n';
    return `${opens}\n<tool_response>\n${textOf(content)}\n</tool_response>${closes}`;
  }
  return framed(role, renderAnswer(message));
}

function callText(call: Call): string {
  const { name, arguments: input } = call.function;
  const json = spacedJson({ name, arguments: JSON.parse(input) });
  return `<tool_call>\n${json}\n</tool_call>`;
}

function framed(role: string, text: string): string {
  return `<|im_start|>${role}\n${text}<|im_end|>\n`;
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { text?: string }) => part.text ?? '').join('');
}

/** JSON with a space after each comma and colon, as templates write it. */
function spacedJson(value: unknown): string {
  // Line breaks occur only between values. Inside strings they are escaped.
  return JSON.stringify(value, null, 1)
    .replace(/([[{])\n */g, '$1')
    .replace(/\n *([\]}])/g, '$1')
    .replace(/\n */g, ' ');
}
