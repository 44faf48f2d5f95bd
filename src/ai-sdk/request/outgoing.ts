import { readStamp, type Stamp, wireInput, withoutStamp } from '../../host/index.ts';
import type { Insert } from '../../tools/transcript/index.ts';
import { anyInput, isNotePart } from '../metadata/index.ts';
import type { Placing } from '../native/index.ts';
import type { LanguageModelV4Message, LanguageModelV4Prompt } from '../protocol/index.ts';
import { wellFormed } from '../results/index.ts';
import { notesIn } from './transcript.ts';
import { type KeptResults, type ViewResults, WireResults } from './wire-results.ts';

type AssistantMessage = Extract<LanguageModelV4Message, { role: 'assistant' }>;
type AssistantPart = AssistantMessage['content'][number];

export interface OutgoingOptions {
  /** The text to add after the app's own system text. */
  readonly system: string;
  readonly inserts: readonly Insert[];
  readonly viewOf: ViewResults;
  /** The provider's own tools. Some accept any JSON as input, for example a string. */
  readonly providerTools: ReadonlySet<string>;
  /** The tools to append, if the request appends tools. */
  readonly placing: Placing | undefined;
}

/**
 * The prompt in the form that the model knows: calls as the model wrote them, results in the order of
 * their calls and in one form for every route of the messages, the catalog after the app's system
 * text, notices at their first position. Calls without a stamp stay as the SDK made them.
 */
export function toWirePrompt(
  prompt: LanguageModelV4Prompt,
  options: OutgoingOptions,
): LanguageModelV4Prompt {
  const { system, inserts, viewOf, placing, providerTools } = options;
  const wire: LanguageModelV4Prompt = [];
  const results = new WireResults(viewOf, placing);
  // Tools are appended right before an assistant message or at the end: some providers allow no other place.
  const added: LanguageModelV4Prompt = [];
  const place = (index: number) => placing?.messagesAt(index) ?? [];
  const firstOther = prompt.findIndex((message) => message.role !== 'system');
  const systemAt = (firstOther < 0 ? prompt.length : firstOther) - 1;
  if (systemAt < 0 && system !== '') wire.push({ role: 'system', content: system });
  prompt.forEach((message, index) => {
    wire.push(...insertsAt(inserts, index));
    if (message.role !== 'assistant') wire.push(...place(index));
    if (message.role === 'assistant') {
      const ordered = { ...message, content: inWrittenOrder(message.content) };
      results.expect(ordered);
      const content = ordered.content
        .filter((part) => !isNotePart(part))
        .map((part) => {
          const restored = restorePart(part, providerTools);
          return placing && restored.type === 'tool-call' ? placing.call(restored) : restored;
        });
      added.push(...place(index));
      if (placing?.isAnywhere || content.some(isSent)) wire.push(...added.splice(0));
      if (content.length > 0) wire.push({ ...message, content });
    } else if (message.role === 'tool') {
      wire.push(results.restore(message, keptFor(prompt, index)));
    } else if (index === systemAt && message.role === 'system' && system !== '') {
      wire.push({ ...message, content: joinSystem(message.content, system) });
    } else {
      wire.push(message);
    }
  });
  wire.push(...insertsAt(inserts, prompt.length));
  wire.push(...added, ...place(prompt.length));
  return wire;
}

/** Whether the provider sends the part to the model. Providers also add custom parts for themselves. */
function isSent(part: AssistantPart): boolean {
  return part.type !== 'custom' || !/message_start|metadata/.test(part.kind);
}

/** Sorts the calls with a stamp into the order in which the model wrote them. Other parts keep their positions. */
function inWrittenOrder(content: AssistantPart[]): AssistantPart[] {
  const placed = content.map((part) => ({
    part,
    stamp: part.type === 'tool-call' ? readStamp(part.providerOptions) : undefined,
  }));
  const calls = placed
    .filter(({ stamp }) => stamp)
    .sort((a, b) => (a.stamp?.o ?? 0) - (b.stamp?.o ?? 0));
  return placed.map(({ part, stamp }) => (stamp ? (calls.shift()?.part ?? part) : part));
}

function restorePart(part: AssistantPart, providerTools: ReadonlySet<string>): AssistantPart {
  if (part.type !== 'tool-call' && part.type !== 'tool-result') return part;
  const { providerOptions, ...rest } = part;
  const kept = withoutStamp(providerOptions);
  const stamp = part.type === 'tool-call' ? readStamp(providerOptions) : undefined;
  const inputOf = ({ n, r }: Stamp) => (providerTools.has(n) ? anyInput(r) : wireInput(r));
  const id = stamp?.i === undefined ? {} : { toolCallId: stamp.i };
  const restored = stamp
    ? { ...rest, ...id, toolName: stamp.n, input: wellFormed(inputOf(stamp)) }
    : rest;
  return (kept ? { ...restored, providerOptions: kept } : restored) as AssistantPart;
}

/** The results that the note of the answering response keeps: these are the bytes that were sent then. */
function keptFor(prompt: LanguageModelV4Prompt, index: number): KeptResults {
  const answer = prompt.slice(index).find((message) => message.role === 'assistant');
  const notes = answer ? notesIn(answer) : [];
  return {
    errors: new Map(notes.flatMap((note) => Object.entries(note.errors ?? {}))),
    outputs: new Map(notes.flatMap((note) => Object.entries(note.outputs ?? {}))),
  };
}

function joinSystem(own: string, added: string): string {
  return own.trim() === '' ? added : `${own}\n\n${added}`;
}

function insertsAt(inserts: readonly Insert[], position: number): LanguageModelV4Message[] {
  return inserts
    .filter((insert) => insert.position === position && insert.text !== '')
    .map((insert) => ({ role: 'user', content: [{ type: 'text', text: insert.text }] }));
}
