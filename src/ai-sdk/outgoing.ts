import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';
import type { Insert } from '../tools/fold.ts';
import { isNotePart } from './note-part.ts';
import { inputOf, readStamp, type Stamp, withoutStamp } from './stamp.ts';
import { isError, notesIn } from './transcript.ts';

type AssistantMessage = Extract<LanguageModelV4Message, { role: 'assistant' }>;
type ToolMessage = Extract<LanguageModelV4Message, { role: 'tool' }>;

export interface OutgoingOptions {
  /** Text to add to the app's own system text. */
  readonly system: string;
  readonly inserts: readonly Insert[];
  /** Frames what third-party tools returned as data, by the tool's real name. */
  readonly frame?: (toolName: string, text: string) => string | undefined;
}

/** The SDK's words for a denial without a reason, as its UI route sends them. */
const DENIED = 'Tool call execution denied.';

/**
 * The prompt as the model knows it: calls as it wrote them, results in the order of their calls and
 * in one form whichever route the messages came by, the catalog after the app's system text, notices
 * where they were first sent.
 */
export function toWirePrompt(prompt: LanguageModelV4Prompt, options: OutgoingOptions): LanguageModelV4Prompt {
  const wire: LanguageModelV4Prompt = [];
  const errors = Object.assign(
    Object.create(null),
    ...prompt.flatMap((message) => (message.role === 'assistant' ? notesIn(message) : [])).map((note) => note.errors),
  ) as Record<string, string>;
  const calls = new Map<string, { order: number; wireName: string; toolName: string; stamp?: Stamp }>();
  const lastSystem = prompt.findIndex((message) => message.role !== 'system') - 1;
  const systemAt = prompt.every((message) => message.role === 'system') ? prompt.length - 1 : lastSystem;
  if (systemAt < 0 && options.system !== '') wire.push({ role: 'system', content: options.system });
  prompt.forEach((message, index) => {
    wire.push(...insertsAt(options.inserts, index));
    if (message.role === 'assistant') {
      message.content.forEach((part) => {
        if (part.type !== 'tool-call') return;
        const stamp = readStamp(part.providerOptions);
        const wireName = stamp?.n ?? part.toolName;
        const known = { order: calls.size, wireName, toolName: part.toolName };
        calls.set(part.toolCallId, stamp ? { ...known, stamp } : known);
      });
      const restored = restoreAssistant(message);
      if (restored.content.length > 0) wire.push(restored);
    } else if (message.role === 'tool') {
      wire.push(restoreResults(message));
    } else if (message.role === 'system' && index === systemAt && options.system !== '') {
      wire.push({ ...message, content: joinSystem(message.content, options.system) });
    } else {
      wire.push(message);
    }
  });
  wire.push(...insertsAt(options.inserts, prompt.length));
  return wire;

  function restoreResults(message: ToolMessage): ToolMessage {
    const content = message.content.map((part) => {
      if (part.type !== 'tool-result') return part;
      const call = calls.get(part.toolCallId);
      const output = restoreOutput(part, call?.stamp?.e ?? errors[part.toolCallId]);
      const { providerOptions: _, ...rest } = part;
      const providerOptions = withoutStamp(part.providerOptions);
      const named = { ...rest, toolName: call?.wireName ?? part.toolName, output: framed(output, call?.toolName) };
      return providerOptions ? { ...named, providerOptions } : named;
    });
    const orderOf = (part: (typeof content)[number]) =>
      part.type === 'tool-result' ? (calls.get(part.toolCallId)?.order ?? calls.size) : -1;
    // The UI route returns results in another order than the live one.
    return { ...message, content: content.sort((a, b) => orderOf(a) - orderOf(b)) };
  }

  function framed(output: LanguageModelV4ToolResultOutput, toolName: string | undefined) {
    if (!options.frame || toolName === undefined) return output;
    const frame = (text: string) => options.frame?.(toolName, text);
    if (output.type === 'text' || output.type === 'error-text') {
      return { ...output, value: frame(output.value) ?? output.value };
    }
    if (output.type !== 'json') return output;
    const text = frame(JSON.stringify(output.value));
    return text === undefined ? output : { type: 'text' as const, value: text };
  }
}

function joinSystem(own: string, added: string): string {
  return own.trim() === '' ? added : `${own}\n\n${added}`;
}

function insertsAt(inserts: readonly Insert[], position: number): LanguageModelV4Message[] {
  return inserts
    .filter((insert) => insert.position === position && insert.text !== '')
    .map((insert) => ({ role: 'user', content: [{ type: 'text', text: insert.text }] }));
}

function restoreAssistant(message: AssistantMessage): AssistantMessage {
  const content = message.content
    .filter((part) => !isNotePart(part))
    .map((part) => {
      if (part.type !== 'tool-call' && part.type !== 'tool-result') return part;
      const { providerOptions: _, ...rest } = part;
      const providerOptions = withoutStamp(part.providerOptions);
      const stamp = part.type === 'tool-call' ? readStamp(part.providerOptions) : undefined;
      const restored = stamp ? { ...rest, toolName: stamp.n, input: inputOf(stamp.r) } : rest;
      return providerOptions ? { ...restored, providerOptions } : restored;
    });
  return { ...message, content: content as AssistantMessage['content'] };
}

/** One form for denials and errors, whichever route they came by. */
function restoreOutput(
  part: LanguageModelV4ToolResultPart,
  text: string | undefined,
): LanguageModelV4ToolResultOutput {
  const { output } = part;
  if (output.type === 'execution-denied') {
    return { type: 'error-text', value: output.reason ?? DENIED };
  }
  return text !== undefined && isError(output) ? { type: 'error-text', value: text } : output;
}

/** Error texts of results that no response has answered yet, for the note of the one that will. */
export function unansweredErrors(prompt: LanguageModelV4Prompt): Record<string, string> {
  const errors: [string, string][] = [];
  const stamped = new Set<string>();
  for (const message of prompt.slice(prompt.findLastIndex((m) => m.role === 'assistant'))) {
    if (message.role === 'assistant') {
      for (const part of message.content) {
        if (part.type === 'tool-call' && readStamp(part.providerOptions)?.e) stamped.add(part.toolCallId);
      }
    }
    if (message.role !== 'tool') continue;
    for (const part of message.content) {
      if (part.type !== 'tool-result' || stamped.has(part.toolCallId)) continue;
      if (part.output.type === 'error-text') errors.push([part.toolCallId, part.output.value]);
    }
  }
  return Object.fromEntries(errors);
}
