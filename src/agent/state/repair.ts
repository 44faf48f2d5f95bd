import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from 'ai';
import { plainCount } from '../../tools/values/index.ts';
import type { Content, ResultPart } from '../entries/index.ts';
import { UNKNOWN_OUTCOME } from './broken-off.ts';

type Call = Extract<Content, { type: 'tool-call' }>;

/** Messages that a provider accepts, and a remark for each kind of repair. */
export interface Repaired {
  readonly messages: ModelMessage[];
  readonly remarks: readonly string[];
}

/** For each problem: the noun that is counted, and the rest of the remark. */
const REMARKS = {
  orphans: ['tool result', 'without a call: removed'],
  seconds: ['tool result', 'for calls that already have one: removed'],
  moved: ['tool result', 'not directly after the call: moved there'],
  unanswered: ['call', 'without a result: marked for the model as unknown outcome'],
  repeated: ['call', 'with the id of another call in the same answer: removed'],
  strays: ['answer', 'to unknown approvals: removed'],
  empty: ['message', 'without content: removed'],
} as const;

/**
 * Repairs a conversation whose calls and results do not match. Every provider refuses such messages.
 * Calls at the end stay open if they wait for an approval or have just been approved.
 */
export function repaired(given: readonly ModelMessage[]): Repaired {
  const repair = new Repair(given);
  for (const [index, message] of given.entries()) repair.take(message, index);
  return repair.end();
}

class Repair {
  readonly #given: readonly ModelMessage[];
  readonly #messages: ModelMessage[] = [];
  readonly #counts = new Map<keyof typeof REMARKS, number>();
  /** Call ids of requested approvals, by approval id. */
  readonly #asked = new Map<string, string>();
  readonly #moved = new Set<object>();
  readonly #answered = new Set<string>();
  readonly #open = new Map<string, Call>();
  /** Read when a call has no result where it should be. */
  #places: ReturnType<typeof placesIn> | undefined;

  constructor(given: readonly ModelMessage[]) {
    this.#given = given;
  }

  take(message: ModelMessage, index: number): void {
    if (message.role === 'tool') {
      this.#takeResults(message);
      return;
    }
    this.#close(index, () => true);
    if (isEmpty(message)) this.#count('empty');
    else if (message.role === 'assistant') this.#messages.push(this.#withCalls(message));
    else this.#messages.push(message);
  }

  #withCalls(message: AssistantModelMessage): AssistantModelMessage {
    if (typeof message.content === 'string') return message;
    const ids = new Set<string>();
    const content = message.content.filter((part) => {
      if (part.type === 'tool-approval-request') this.#asked.set(part.approvalId, part.toolCallId);
      if (part.type !== 'tool-call' || part.providerExecuted) return true;
      const { toolCallId: id } = part;
      if (ids.has(id)) this.#count('repeated');
      else this.#open.set(id, part);
      this.#answered.delete(id);
      return ids.size < ids.add(id).size;
    });
    return content.length === message.content.length ? message : { ...message, content };
  }

  end(): Repaired {
    const waiting = new Set(this.#asked.values());
    this.#close(this.#given.length, ({ toolCallId }) => !waiting.has(toolCallId));
    const remarks = [...this.#counts].map(([kind, count]) => {
      const [noun, rest] = REMARKS[kind];
      return `The given messages contain ${plainCount(count, noun)} ${rest}.`;
    });
    return { messages: this.#messages, remarks };
  }

  #takeResults(message: ToolModelMessage): void {
    const content = message.content.filter((part) => {
      if (part.type === 'tool-approval-response') return this.#isAsked(part.approvalId);
      if (part.type !== 'tool-result' || this.#open.has(part.toolCallId)) {
        if (part.type === 'tool-result') this.#answer(part.toolCallId);
        return true;
      }
      if (!this.#moved.has(part))
        this.#count(this.#answered.has(part.toolCallId) ? 'seconds' : 'orphans');
      return false;
    });
    if (content.length === 0) return;
    const isWhole = content.length === message.content.length;
    this.#messages.push(isWhole ? message : { ...message, content });
  }

  /** Adds results for open calls before the message at this index. */
  #close(index: number, shouldClose: (call: Call) => boolean): void {
    const results: ResultPart[] = [];
    for (const call of [...this.#open.values()].filter(shouldClose)) {
      const { toolCallId, toolName } = call;
      const later = this.#later(toolCallId, index);
      if (later) this.#moved.add(later);
      this.#count(later ? 'moved' : 'unanswered');
      const output = { type: 'error-text' as const, value: UNKNOWN_OUTCOME };
      results.push(later ?? { type: 'tool-result', toolCallId, toolName, output });
      this.#answer(toolCallId);
    }
    if (results.length === 0) return;
    const last = this.#messages.at(-1);
    if (last?.role === 'tool')
      this.#messages.splice(-1, 1, { ...last, content: [...results, ...last.content] });
    else this.#messages.push({ role: 'tool', content: results });
  }

  /** The later result of a call, unless another call with the same id stands before it. */
  #later(id: string, index: number): ResultPart | undefined {
    this.#places ??= placesIn(this.#given);
    const places = this.#places.get(id) ?? [];
    // The index only rises, so a place before it is not asked for again.
    while (places.length > 0 && (places.at(-1)?.at ?? index) < index) places.pop();
    const next = places.at(-1)?.part;
    return next?.type === 'tool-result' ? next : undefined;
  }

  #answer(id: string): void {
    this.#open.delete(id);
    this.#answered.add(id);
  }

  #isAsked(approvalId: string): boolean {
    if (this.#asked.has(approvalId)) return true;
    this.#count('strays');
    return false;
  }

  #count(kind: keyof typeof REMARKS): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
  }
}

interface Place {
  readonly at: number;
  readonly part: Call | ResultPart;
}

/** Where the calls and results with each id stand, the last place first. */
function placesIn(messages: readonly ModelMessage[]): ReadonlyMap<string, Place[]> {
  const places = new Map<string, Place[]>();
  for (const [at, { content }] of [...messages.entries()].reverse()) {
    for (const part of typeof content === 'string' ? [] : [...content].reverse()) {
      if (part.type !== 'tool-call' && part.type !== 'tool-result') continue;
      const known = places.get(part.toolCallId);
      if (known) known.push({ at, part });
      else places.set(part.toolCallId, [{ at, part }]);
    }
  }
  return places;
}

/**
 * Whether a message has no content. Providers refuse those. An empty text with provider options (an
 * OpenAI item) was sent back to the provider before, so it stays to keep the cached prefix.
 */
function isEmpty({ role, content }: ModelMessage): boolean {
  if (role === 'system' || role === 'tool') return false;
  if (typeof content === 'string') return content.trim() === '';
  return content.every(
    (part) => part.type === 'text' && part.text.trim() === '' && part.providerOptions === undefined,
  );
}
