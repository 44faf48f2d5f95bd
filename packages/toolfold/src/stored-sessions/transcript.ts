import { entryText, LOST, textIn, textsIn } from '@toolfold/agent/internal/entries';
import { MISSING_ENTRY } from '@toolfold/agent/internal/sessions';
import { isFiniteAmount, listIn, ownProperty, pick } from '@toolfold/core/internal/values';

/** An approval of a call, and its answer if there is one. */
export interface TranscriptApproval {
  readonly approvalId: string;
  /** Why the user was asked. */
  readonly reason?: string;
  readonly answer?: {
    readonly approved: boolean;
    readonly scope?: string;
    readonly reason?: string;
  };
}

/**
 * How far a call is. `intended`: it has not been started. `waiting`: the user has not answered.
 * `unknown`: it was started and has no result, so nobody knows whether it took effect.
 */
type CallState = 'intended' | 'waiting' | 'denied' | 'unknown' | 'done' | 'failed';

export interface TranscriptCallItem {
  readonly type: 'call';
  readonly at: number;
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
  /** What was repaired in the arguments that the model wrote. Absent if nothing was. */
  readonly repairs?: readonly string[];
  readonly state: CallState;
  readonly approvals: readonly TranscriptApproval[];
  readonly output?: unknown;
  readonly error?: string;
  /** What the user decided about a call whose outcome was unknown. */
  readonly choice?: string;
}

/** A part of a transcript. `at`: milliseconds since 1970. */
export type TranscriptItem =
  /** `how`: `send` for a new turn, otherwise how an earlier one went on, such as `answer`. */
  | { readonly type: 'turn'; readonly at: number; readonly number: number; readonly how: string }
  | { readonly type: 'user' | 'answer'; readonly at: number; readonly text: string }
  | TranscriptCallItem
  /** Something about the session, such as a warning. `text` is what it refers to, such as a summary. */
  | { readonly type: 'note'; readonly at: number; readonly title: string; readonly text?: string }
  | { readonly type: 'end'; readonly at: number; readonly reason: string; readonly error?: string };

/** Tokens of a session, those of its subagents included. `cost`: absent if no price was known. */
export interface TranscriptUsage {
  readonly requests: number;
  readonly input: number;
  readonly cacheRead: number;
  readonly output: number;
  readonly cost?: number;
}

/** What the entries of a session say, for people. */
export interface Transcript {
  readonly items: readonly TranscriptItem[];
  /** The number of the last turn. */
  readonly turns: number;
  /** How the last turn ended; absent if it has not. */
  readonly end?: { readonly reason: string; readonly error?: string };
  /** Calls that may still run: those that wait, and those with an unknown outcome. */
  readonly open: readonly TranscriptCallItem[];
  readonly usage: TranscriptUsage;
}

/** The part of an entry that a transcript reads. */
export interface TranscriptEntry {
  readonly kind: string;
  readonly body: unknown;
  readonly at: number;
}

type Changing<T> = { -readonly [KEY in keyof T]: T[KEY] };
type MutableCallItem = Changing<Omit<TranscriptCallItem, 'state' | 'approvals'>> & {
  readonly approvals: Changing<TranscriptApproval>[];
  isStarted: boolean;
  isOver: boolean;
};

/** Reads entries of a session, in order. What is not as expected, as in a file of others, is left out. */
export function readTranscript(entries: Iterable<TranscriptEntry>): Transcript {
  const reader = new SessionTranscriptReader();
  for (const entry of entries) reader.take(entry);
  return reader.transcript();
}

class SessionTranscriptReader {
  readonly #items: (Exclude<TranscriptItem, TranscriptCallItem> | MutableCallItem)[] = [];
  /** Calls of the last answer, by id. Endpoints may use an id again in each answer. */
  readonly #calls = new Map<string, MutableCallItem>();
  readonly #usage = { requests: 0, input: 0, cacheRead: 0, output: 0, cost: 0, priced: 0 };
  #turns = 0;
  #isBegun = false;
  #end: Transcript['end'];

  transcript(): Transcript {
    const { priced, cost, ...usage } = this.#usage;
    const items = this.#items.map((item) => (item.type === 'call' ? callOf(item) : item));
    const open = [...this.#calls.values()].map(callOf);
    return {
      items,
      turns: this.#turns,
      ...(this.#end ? { end: this.#end } : {}),
      open: open.filter(({ state }) => state === 'waiting' || state === 'unknown'),
      usage: priced > 0 ? { ...usage, cost } : usage,
    };
  }

  take(entry: TranscriptEntry): void {
    const { kind, body, at } = entry;
    switch (kind) {
      case 'turn': {
        const number = ownProperty(body, 'number');
        this.#turns = isFiniteAmount(number) ? number : this.#turns + 1;
        const how = textIn(body, 'how') ?? 'send';
        // A compaction changes nothing about the turn before, also if it fails or is killed.
        if (how !== 'compact') this.#end = undefined;
        this.#items.push({ type: 'turn', at, number: this.#turns, how });
        break;
      }
      case 'user':
      case 'model': {
        this.#settle();
        this.#isBegun = true;
        const text = entryText(entry, { marks: true }) ?? '';
        const type = kind === 'user' ? 'user' : 'answer';
        if (text.trim() !== '') this.#items.push({ type, at, text });
        break;
      }
      case 'messages':
        this.#given(at, listIn(body, 'add'));
        break;
      case 'compaction':
        this.#settle();
        this.#note(at, 'The conversation was made shorter.', textIn(body, 'summary'));
        break;
      case 'imported':
        this.#note(at, 'Imported from a file. Approvals before this do not hold.');
        break;
      case MISSING_ENTRY: {
        const last = this.#items.at(-1);
        if (last?.type !== 'note' || last.title !== LOST) this.#note(at, LOST);
        break;
      }
      case 'label':
        this.#note(at, 'Label', textIn(body, 'text'));
        break;
      case 'quick': {
        const { question = '', answer = '' } = textsIn(body, 'question', 'answer');
        this.#note(
          at,
          'A question outside the conversation.',
          `${question}\n\n${answer}`.trimEnd(),
        );
        this.#count(ownProperty(body, 'usage'));
        break;
      }
      case 'event':
        this.#event(at, ownProperty(body, 'event'));
        break;
      default:
        this.#takeCall(entry);
    }
  }

  /** Messages that do not follow from other entries. The first ones are a conversation of the app. */
  #given(at: number, messages: readonly unknown[]): void {
    const isFirst = !this.#isBegun;
    for (const message of messages) {
      for (const part of listIn(message, 'content'))
        if (ownProperty(part, 'type') === 'tool-result')
          this.#close(textIn(part, 'toolCallId') ?? '');
      const role = ownProperty(message, 'role');
      if (isFirst && role === 'user') this.take({ kind: 'user', body: { message }, at });
      if (isFirst && role === 'assistant')
        this.take({ kind: 'model', body: { content: ownProperty(message, 'content') }, at });
    }
  }

  #takeCall({ kind, body, at }: TranscriptEntry): void {
    const id = textIn(body, 'id');
    if (id === undefined) return;
    if (kind === 'call') {
      this.#call(id, body, at);
      return;
    }
    if (kind === 'approval' || kind === 'start') {
      const call = this.#calls.get(id) ?? this.#call(id, body, at);
      if (kind === 'start') {
        call.isStarted = true;
        Object.assign(call, repairsIn(body));
      } else ask(call, { approvalId: '', ...textsIn(body, 'approvalId', 'reason') });
      return;
    }
    const call = this.#calls.get(id);
    if (!call) return;
    if (kind === 'result') end(call, body);
    if (kind === 'answer') answer(call, body);
    const choice = textIn(body, 'choice');
    if (kind !== 'unknown' || choice === undefined) return;
    call.choice = choice;
    // A call that runs again is started again.
    call.isStarted = false;
  }

  #call(id: string, body: unknown, at: number): MutableCallItem {
    const call: MutableCallItem = {
      ...{ type: 'call', at, id, name: textIn(body, 'name') ?? '' },
      arguments: ownProperty(body, 'arguments'),
      ...repairsIn(body),
      ...{ approvals: [], isStarted: false, isOver: false },
    };
    this.#calls.set(id, call);
    this.#items.push(call);
    return call;
  }

  #event(at: number, event: unknown): void {
    switch (ownProperty(event, 'type')) {
      case 'failure': {
        const call = this.#calls.get(textIn(event, 'id') ?? '');
        if (call && !call.isOver) end(call, event);
        break;
      }
      case 'warning':
        this.#note(at, 'Warning', textIn(event, 'text'));
        break;
      case 'rounds':
        this.#note(at, NOTES[textIn(event, 'of') ?? ''] ?? 'No rounds of tools were left.');
        break;
      case 'discarded':
        this.#note(at, 'The answer was interrupted and withdrawn.', textIn(event, 'text'));
        break;
      case 'subagent':
        this.#event(at, ownProperty(event, 'event'));
        break;
      case 'usage':
        this.#count(event);
        break;
      case 'end': {
        const { message: error } = textsIn(ownProperty(event, 'error'), 'message');
        const end = { reason: 'other', ...textsIn(event, 'reason'), ...pick({ error }, 'error') };
        this.#end ??= end;
        this.#items.push({ type: 'end', at, ...end });
        break;
      }
    }
  }

  #count(event: unknown): void {
    const usage = this.#usage;
    usage.requests += 1;
    for (const key of ['input', 'cacheRead', 'output', 'cost'] as const) {
      const amount = ownProperty(event, key);
      if (!isFiniteAmount(amount)) continue;
      usage[key] += amount;
      if (key === 'cost') usage.priced += 1;
    }
  }

  #note(at: number, title: string, text?: string): void {
    this.#items.push({ type: 'note', at, title, ...pick({ text }, 'text') });
  }

  /** The conversation went on: whatever was open has got an answer. */
  #settle(): void {
    for (const id of this.#calls.keys()) this.#close(id);
  }

  #close(id: string): void {
    const call = this.#calls.get(id);
    if (call) call.isOver = true;
    this.#calls.delete(id);
  }
}

function end(call: MutableCallItem, body: unknown): void {
  call.isOver = true;
  const error = textIn(body, 'error');
  if (error === undefined) call.output = ownProperty(body, 'output');
  else call.error = error;
}

/** A question that was not answered is asked again in the next turn. It is the same one. */
function ask({ approvals }: MutableCallItem, approval: TranscriptApproval): void {
  const last = approvals.at(-1);
  if (last && !last.answer && last.approvalId === approval.approvalId) approvals.pop();
  approvals.push(approval);
}

function answer(call: MutableCallItem, body: unknown): void {
  const approvalId = textIn(body, 'approvalId');
  const approval = call.approvals.findLast((asked) => asked.approvalId === approvalId);
  const approved = ownProperty(body, 'approved') === true;
  if (approval) approval.answer = { approved, ...textsIn(body, 'scope', 'reason') };
}

function callOf(read: MutableCallItem): TranscriptCallItem {
  const { isStarted: _, isOver: __, ...call } = read;
  return { ...call, state: stateOf(read) };
}

function stateOf({ error, approvals, isStarted, isOver, ...call }: MutableCallItem): CallState {
  const last = approvals.at(-1);
  if (last?.answer?.approved === false && !isStarted) return 'denied';
  if (error !== undefined) return 'failed';
  if ('output' in call) return 'done';
  if (isStarted) return 'unknown';
  return last && !last.answer && !isOver ? 'waiting' : 'intended';
}

/** Notes about limits of a turn beside its rounds. */
const NOTES: Readonly<Record<string, string>> = {
  requests: 'No requests were left.',
  tokens: 'No tokens were left.',
  loads: 'Too many answers in a row only loaded or searched tools.',
};

function repairsIn(body: unknown): Pick<TranscriptCallItem, 'repairs'> {
  const repairs = listIn(body, 'repairs').filter((text) => typeof text === 'string');
  return repairs.length > 0 ? { repairs } : {};
}
