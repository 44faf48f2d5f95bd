import { withoutStamp } from '../../host/index.ts';
import type { Insert } from '../../tools/transcript/index.ts';
import { isNotePart } from '../metadata/index.ts';
import type { Placing } from '../native/index.ts';
import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
} from '../protocol/index.ts';
import type { Labels } from './facts/index.ts';
import type { ReadCall, ReadMessage } from './messages/index.ts';
import { type KeptResults, type ViewResults, WireResults } from './wire-results.ts';

type AssistantMessage = Extract<LanguageModelV4Message, { role: 'assistant' }>;
type SystemMessage = Extract<LanguageModelV4Message, { role: 'system' }>;
type AssistantPart = AssistantMessage['content'][number];
type CallPart = LanguageModelV4ToolCallPart;

export interface OutgoingOptions {
  /** The text to add after the app's own system text. */
  readonly system: string;
  readonly inserts: readonly Insert[];
  readonly viewOf: ViewResults;
  /** The provider's own tools. Some accept any JSON as input, for example a string. */
  readonly providerTools: ReadonlySet<string>;
  /** The tools to append, if the request appends tools. */
  readonly placing: Placing | undefined;
  /** Receives the labels of what is written, if somebody wants to know them. */
  readonly labels?: Labels | undefined;
}

/**
 * The prompt in the form that the model knows: calls as the model wrote them, results in the order of
 * their calls and in one form for every route of the messages, the catalog after the app's system
 * text, notices at their first position. Calls without a stamp stay as the SDK made them.
 */
export function toWirePrompt(
  prompt: readonly ReadMessage<LanguageModelV4Message>[],
  options: OutgoingOptions,
): LanguageModelV4Prompt {
  const { system, viewOf, placing, labels } = options;
  const wire: LanguageModelV4Prompt = [];
  const inserts = new Inserts(options.inserts, labels);
  const results = new WireResults(viewOf, placing, labels);
  // Tools are appended right before an assistant message or at the end: some providers allow no other place.
  const added: LanguageModelV4Prompt = [];
  const firstOther = prompt.findIndex(({ message }) => message.role !== 'system');
  const systemAt = (firstOther < 0 ? prompt.length : firstOther) - 1;
  const appendedAt = (index: number): readonly LanguageModelV4Message[] => {
    const appended = placing?.messagesAt(index) ?? [];
    if (appended.length > 0) labels?.appended(appended);
    return appended;
  };
  const addSystem = (own: SystemMessage | undefined): void => {
    const content = joinSystem(own?.content ?? '', system);
    const message: SystemMessage = { ...own, role: 'system', content };
    wire.push(message);
    const isOwn = content !== system;
    if (labels) labels.catalog = { message, own: isOwn ? own : undefined, text: system };
  };
  if (systemAt < 0 && system !== '') addSystem(undefined);
  prompt.forEach((read, index) => {
    const { message } = read;
    inserts.addTo(wire, index);
    if (message.role !== 'assistant') wire.push(...appendedAt(index));
    if (message.role === 'assistant') {
      const sent = sentMessage(message, read, results, options);
      added.push(...appendedAt(index));
      if (placing?.isAnywhere || (added.length > 0 && sent.content.some(isSent)))
        wire.push(...added.splice(0));
      if (sent.content.length > 0) wire.push(sent);
    } else if (message.role === 'tool') {
      wire.push(results.restore(message, keptFor(prompt, index)));
    } else if (index === systemAt && message.role === 'system' && system !== '') {
      addSystem(message);
    } else {
      wire.push(message);
    }
  });
  inserts.addTo(wire, prompt.length);
  wire.push(...added, ...appendedAt(prompt.length));
  return wire;
}

/** An assistant message without notes, its calls as the model wrote them. Their results follow. */
function sentMessage(
  message: AssistantMessage,
  { calls, isPlain }: ReadMessage,
  results: WireResults,
  { placing, providerTools }: OutgoingOptions,
): AssistantMessage {
  if (isPlain) return message;
  const ordered = inWrittenOrder(calls);
  results.expect(ordered);
  let next = 0;
  const content: AssistantPart[] = [];
  for (const part of message.content) {
    if (isNotePart(part)) continue;
    const call = part.type === 'tool-call' ? ordered[next++] : undefined;
    if (call) {
      const restored = restoreCall(call, providerTools);
      content.push(placing?.call(restored) ?? restored);
    } else content.push(part.type === 'tool-result' ? withoutOurs(part) : part);
  }
  return { ...message, content };
}

/** Whether the provider sends the part to the model. Providers also add custom parts for themselves. */
function isSent(part: AssistantPart): boolean {
  return part.type !== 'custom' || !/message_start|metadata/.test(part.kind);
}

/** Sorts the calls with a stamp into the order in which the model wrote them. Others keep their positions. */
function inWrittenOrder(calls: readonly ReadCall[]): readonly ReadCall[] {
  if (calls.length < 2) return calls;
  const stamped = calls
    .filter(({ written }) => written)
    .sort((a, b) => (a.written?.stamp.o ?? 0) - (b.written?.stamp.o ?? 0));
  return calls.map((call) => (call.written ? (stamped.shift() ?? call) : call));
}

function restoreCall({ part, written }: ReadCall, providerTools: ReadonlySet<string>): CallPart {
  if (!written) return withoutOurs(part);
  const { n: toolName, i: toolCallId = part.toolCallId } = written.stamp;
  const input = written.wireInput(providerTools.has(toolName));
  return { ...withoutOurs(part), toolCallId, toolName, input };
}

/** A part without Toolfold's metadata. */
function withoutOurs<P extends CallPart | LanguageModelV4ToolResultPart>(part: P): P {
  const { providerOptions, ...rest } = part;
  const kept = withoutStamp(providerOptions);
  return (kept ? { ...rest, providerOptions: kept } : rest) as P;
}

const NOTHING_KEPT: KeptResults = { errors: new Map(), outputs: new Map() };

/** The results that the note of the answering response keeps: these are the bytes that were sent then. */
function keptFor(prompt: readonly ReadMessage[], index: number): KeptResults {
  let at = index + 1;
  while (at < prompt.length && prompt[at]?.message.role !== 'assistant') at++;
  const notes = prompt[at]?.notes ?? [];
  if (notes.length === 0) return NOTHING_KEPT;
  return {
    errors: new Map(notes.flatMap((note) => Object.entries(note.errors ?? {}))),
    outputs: new Map(notes.flatMap((note) => Object.entries(note.outputs ?? {}))),
  };
}

function joinSystem(own: string, added: string): string {
  return own.trim() === '' ? added : `${own}\n\n${added}`;
}

/** Texts that stand between the messages. */
class Inserts {
  readonly #texts = new Map<number, string[]>();
  readonly #labels: Labels | undefined;

  constructor(inserts: readonly Insert[], labels: Labels | undefined) {
    this.#labels = labels;
    for (const { position, text } of inserts) {
      if (text === '') continue;
      const texts = this.#texts.get(position) ?? [];
      this.#texts.set(position, texts);
      texts.push(text);
    }
  }

  /** Adds the texts before the message at this index. */
  addTo(wire: LanguageModelV4Prompt, index: number): void {
    for (const text of this.#texts.get(index) ?? []) {
      const message = { role: 'user' as const, content: [{ type: 'text' as const, text }] };
      this.#labels?.insert(message, text);
      wire.push(message);
    }
  }
}
