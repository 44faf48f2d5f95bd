import { withoutStamp } from '@toolfold/core/internal/host';
import type { Insert } from '@toolfold/core/internal/transcript';
import { areSameLists, sameStart } from '@toolfold/core/internal/values';
import {
  type AssistantCall,
  isNotePart,
  type ReadMessage,
  type ResultRules,
} from '../messages/index.ts';
import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
  Placing,
} from '../protocol/index.ts';
import { Labels } from './segments.ts';
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
  /** Which files results may hold; undefined if they stay as they are. The same object for the same model. */
  readonly rules: ResultRules | undefined;
  /** The provider's own tools. Some accept any JSON as input, for example a string. */
  readonly providerTools: ReadonlySet<string>;
  /** The tools to append, if the request appends tools. */
  readonly placing: Placing | undefined;
  /** The bridge tool of a name, if somebody wants to know the labels of what is written. */
  readonly kindOf?: ConstructorParameters<typeof Labels>[0];
}

type PromptMessage = ReadMessage<LanguageModelV4Message>;

/** The wire prompt, which continues the one `before` where that has the same beginning. */
export function wirePrompt(
  prompt: readonly PromptMessage[],
  options: OutgoingOptions,
  before?: WirePrompt,
): WirePrompt {
  const wire = before?.goBack(prompt, options) ? before : new WirePrompt(options);
  wire.write(prompt, options);
  return wire;
}

interface FixedMessages {
  /** The index of the message of the model. */
  readonly index: number;
  /** The number of messages on the wire. */
  readonly length: number;
  readonly failures: ReadonlyMap<string, number>;
}

/**
 * The prompt in the form that the model knows: calls as the model wrote them, results in the order of
 * their calls and in one form for every route of the messages, the catalog after the app's system
 * text, notices at their first position. Calls without a stamp stay as the SDK made them.
 */
export class WirePrompt {
  readonly wire: LanguageModelV4Prompt = [];
  readonly labels: Labels | undefined;
  /** For each message of the wire, the index of the SDK's message that it is. */
  readonly #sources: (number | undefined)[] = [];
  readonly #results: WireResults;
  #prompt: readonly PromptMessage[] = [];
  #options: OutgoingOptions;
  /** After each message of the model: what follows changes nothing up to here. */
  readonly #fixed: FixedMessages[] = [];

  constructor(options: OutgoingOptions) {
    const { viewOf, rules, placing, kindOf } = options;
    this.#options = options;
    this.labels = kindOf && new Labels(kindOf);
    this.#results = new WireResults(viewOf, rules, placing, this.labels);
  }

  /** Goes back to what is the same for this prompt. False if that is nothing. */
  goBack(prompt: readonly PromptMessage[], options: OutgoingOptions): boolean {
    const before = this.#options;
    if (before.placing || options.placing || before.system !== options.system) return false;
    if (before.rules !== options.rules) return false;
    if (!areSameLists([...before.providerTools], [...options.providerTools])) return false;
    if (this.labels ? !this.labels.areOf(options.kindOf) : options.kindOf) return false;
    if (!this.#results.areOf(options.viewOf)) return false;
    let same = sameStart(prompt, this.#prompt);
    while (same < prompt.length && areAlike(prompt[same], this.#prompt[same])) same++;
    const count = this.#fixed.length;
    while ((this.#fixed.at(-1)?.index ?? -1) >= same) this.#fixed.pop();
    const last = this.#fixed.at(-1);
    const earlier = ({ inserts }: OutgoingOptions) =>
      JSON.stringify(inserts.filter(({ position }) => position <= (last?.index ?? -1)));
    if (!last || earlier(before) !== earlier(options)) return false;
    if (this.#fixed.length < count) {
      this.#results.forgetCalls();
      for (const { calls } of prompt.slice(0, last.index + 1))
        this.#results.expect(inWrittenOrder(calls));
    }
    return true;
  }

  /** Writes what is not fixed. */
  write(prompt: readonly PromptMessage[], options: OutgoingOptions): void {
    const { system, viewOf, placing, kindOf } = options;
    const { wire, labels } = this;
    const { index: last, length, failures } = this.#fixed.at(-1) ?? NOTHING_FIXED;
    const same = sameStart(prompt, this.#prompt);
    this.#options = options;
    this.#prompt = prompt;
    this.#results.follow(viewOf, failures);
    labels?.follow(kindOf);
    wire.length = length;
    this.#sources.length = length;
    // Other messages of users stand where these stood.
    const known = this.#sources.findLastIndex((source) => source !== undefined && source < same);
    for (let at = known + 1; at < length; at++) {
      const read = prompt[this.#sources[at] ?? prompt.length];
      if (read) wire[at] = read.message;
    }
    const inserts = new Inserts(options.inserts, labels);
    // Tools are appended right before an assistant message or at the end: some providers allow no other place.
    const added: LanguageModelV4Prompt = [];
    const firstOther = prompt.findIndex(({ message }) => message.role !== 'system');
    const systemAt = (firstOther < 0 ? prompt.length : firstOther) - 1;
    const appendedAt = (index: number): readonly LanguageModelV4Message[] => {
      const appended = placing?.messagesAt(index) ?? [];
      if (appended.length > 0) labels?.appended(appended);
      return appended;
    };
    if (last < 0 && systemAt < 0 && system !== '') this.#addSystem(undefined);
    for (let index = last + 1; index < prompt.length; index++) {
      const read = prompt[index] as PromptMessage;
      const { message } = read;
      if (message.role !== 'tool') this.#addFiles();
      inserts.addTo(wire, index);
      if (message.role !== 'assistant') wire.push(...appendedAt(index));
      if (message.role === 'assistant') {
        const sent = sentMessage(message, read, this.#results, options);
        added.push(...appendedAt(index));
        if (placing?.isAnywhere || (added.length > 0 && sent.content.some(isSent)))
          wire.push(...added.splice(0));
        if (sent.content.length > 0) this.#push(sent, index, message);
        this.#fixed.push({ index, length: wire.length, failures: this.#results.failures });
      } else if (message.role === 'tool') {
        this.#push(this.#results.restore(message, keptFor(prompt, index)), index, message);
      } else if (index === systemAt && message.role === 'system' && system !== '') {
        this.#addSystem(message);
      } else this.#push(message, index, message);
    }
    this.#addFiles();
    inserts.addTo(wire, prompt.length);
    wire.push(...added, ...appendedAt(prompt.length));
  }

  /** The prompt for the provider, which may change it. `given`: the messages of the SDK. */
  sendable(given: readonly LanguageModelV4Message[]): LanguageModelV4Prompt {
    const sources = this.#sources;
    return this.wire.map((message, at) => {
      const source = sources[at];
      return (source !== undefined && given[source]) || copyOf(message);
    });
  }

  #push(sent: LanguageModelV4Message, index: number, message: LanguageModelV4Message): void {
    if (sent === message) this.#sources[this.wire.length] = index;
    else if (!this.#options.placing && constants.has(message)) constants.add(sent);
    this.wire.push(sent);
  }

  /** Adds the files that stand behind the results before. */
  #addFiles(): void {
    const message = this.#results.takeBehind();
    if (message) this.wire.push(message);
  }

  /** The catalog joins the app's own text, because chat templates of local models refuse a second system message. */
  #addSystem(own: SystemMessage | undefined): void {
    const { system } = this.#options;
    const content = joinSystem(own?.content ?? '', system);
    const message: SystemMessage = { ...own, role: 'system', content };
    this.wire.push(message);
    const isOwn = content !== system;
    if (this.labels) this.labels.catalog = { message, own: isOwn ? own : undefined, text: system };
  }
}

/** Whether two messages are the same, or users' messages, which decide nothing about others. */
function areAlike(one: PromptMessage | undefined, other: PromptMessage | undefined): boolean {
  return one === other || (one?.message.role === 'user' && other?.message.role === 'user');
}

const NOTHING_FIXED: FixedMessages = { index: -1, length: 0, failures: new Map<string, number>() };

function copyOf(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role === 'system') return { ...message };
  return { ...message, content: message.content.map((part) => ({ ...part })) } as typeof message;
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
  const ids = results.expect(ordered);
  let next = 0;
  const content: AssistantPart[] = [];
  for (const part of message.content) {
    if (isNotePart(part)) continue;
    const at = part.type === 'tool-call' ? next++ : -1;
    const call = ordered[at];
    if (call) {
      const restored = restoreCall(call, ids[at] ?? call.part.toolCallId, providerTools);
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
function inWrittenOrder(calls: readonly AssistantCall[]): readonly AssistantCall[] {
  if (calls.length < 2) return calls;
  const stamped = calls
    .filter(({ written }) => written)
    .sort((a, b) => (a.written?.stamp.o ?? 0) - (b.written?.stamp.o ?? 0));
  return calls.map((call) => (call.written ? (stamped.shift() ?? call) : call));
}

function restoreCall(
  { part, written }: AssistantCall,
  toolCallId: string,
  providerTools: ReadonlySet<string>,
): CallPart {
  if (!written) return { ...withoutOurs(part), toolCallId };
  const { n: toolName } = written.stamp;
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

/** Messages that nobody changes. They stay inside Toolfold. */
export const constants: WeakSet<object> = new WeakSet();
