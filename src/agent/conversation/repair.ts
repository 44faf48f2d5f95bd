import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from 'ai';
import { counted } from '../../tools/values/index.ts';
import { UNKNOWN_OUTCOME } from './broken-off.ts';

type Call = Extract<
  Exclude<AssistantModelMessage['content'], string>[number],
  { type: 'tool-call' }
>;
type ToolPart = ToolModelMessage['content'][number];
type Result = Extract<ToolPart, { type: 'tool-result' }>;

/** Messages that a provider takes, and what had to be done to those that were given. */
export interface Repaired {
  readonly messages: ModelMessage[];
  readonly remarks: readonly string[];
}

/** By what is wrong: what there is of it, and what is done. */
const REMARKS = {
  orphans: ['tool result', 'without a call: left out'],
  seconds: ['tool result', 'of calls that have one already: left out'],
  moved: ['tool result', 'behind other messages: put behind its call'],
  unanswered: ['call', 'without a result: the model is told that the outcome is unknown'],
  repeated: ['call', 'with the id of another one of the same answer: left out'],
  strays: ['answer', 'to approvals that were not asked for: left out'],
  empty: ['message', 'without content: left out'],
} as const;

/**
 * Repairs a conversation whose calls and results do not match, which every provider refuses. Calls at
 * its end that wait for an approval, or have just been given one, stay open.
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
  /** Approvals that have been asked for, by id, and the calls that they are of. */
  readonly #asked = new Map<string, string>();
  readonly #moved = new Set<ToolPart>();
  readonly #answered = new Set<string>();
  readonly #open = new Map<string, Call>();

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
      return `The given messages have ${counted(count, noun)} ${rest}.`;
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

  /** Gives calls that are still open a result before the message at this index. */
  #close(index: number, isMeant: (call: Call) => boolean): void {
    const results: Result[] = [];
    for (const call of [...this.#open.values()].filter(isMeant)) {
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

  /** The result of a call further down, ahead of another call with its id. */
  #later(id: string, index: number): Result | undefined {
    for (const { content } of this.#given.slice(index)) {
      for (const part of typeof content === 'string' ? [] : content) {
        if (part.type === 'tool-call' && part.toolCallId === id) return;
        if (part.type === 'tool-result' && part.toolCallId === id) return part;
      }
    }
    return;
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

/**
 * Whether a message says nothing: providers refuse those. An empty text that a provider has marked as
 * its own (an item of OpenAI's) was sent back to it, and stays for the prefix.
 */
function isEmpty({ role, content }: ModelMessage): boolean {
  if (role === 'system' || role === 'tool') return false;
  if (typeof content === 'string') return content.trim() === '';
  return content.every(
    (part) => part.type === 'text' && part.text.trim() === '' && part.providerOptions === undefined,
  );
}
