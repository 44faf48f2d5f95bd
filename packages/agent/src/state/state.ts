import type { ToolState } from '@toolfold/core/internal/request';
import type { ModelMessage } from 'ai';
import type { Kinds, RunOutcome, SessionSettings } from '../entries/index.ts';
import {
  Accounts,
  type ApprovalAnswer,
  type EndReason,
  type PendingApproval,
  type SentRequest,
} from '../events/index.ts';
import type { Entry, PostedMessage } from '../sessions/index.ts';
import {
  askedEvent,
  type HistoryTail,
  NO_TAIL,
  type OpenCall,
  openCalls,
  pendingIn,
  tailOf,
} from './history.ts';
import { filesIn, interruptedText, partsOf, saysToolsAreOff } from './messages.ts';

/** A call that was started, or that has an outcome. */
interface CallRun {
  readonly name: string;
  /** Absent if the tool may still run, or ran when its process was killed. */
  readonly outcome?: RunOutcome;
  /** When it was started, in milliseconds since 1970. */
  readonly at?: number;
  readonly choice?: Kinds['unknown'];
}

/** A question about a call, with what the user saw. */
interface AskedApproval {
  readonly question: Kinds['approval'];
  /** When it was written, in milliseconds since 1970. */
  readonly at: number;
  readonly answer?: ApprovalAnswer;
}

/** An answer of the model whose calls may not have run. */
export type OpenAnswer = Omit<Kinds['model'], 'step'>;

/** A tool that the user has approved for the session: whenever the settings ask, or for one question of a hook. */
interface Granted {
  readonly name: string;
  readonly fingerprint: string;
  readonly askKey?: string;
}

/** What the entries of a conversation say. `applyEntry` changes it. */
export class ConversationState {
  #messages: ModelMessage[] = [];
  /** Whether somebody else has the list of messages. Then it is copied before it grows. */
  #isShared = false;
  /** How many of the first messages leave no call open. */
  #closed = 0;
  /** What the first `count` messages say of tools that were switched off. */
  #said: { readonly count: number; readonly areOff: boolean } = { count: 0, areOff: false };
  #tail: HistoryTail | undefined;
  #all: readonly ModelMessage[] | undefined;
  answer: OpenAnswer | undefined;
  /** Runs since the last messages, by call id. */
  readonly runs: Map<string, CallRun> = new Map();
  /** The names of the calls of the last answer that are shown, by id. */
  readonly calls: Map<string, string> = new Map();
  /** Questions about open calls, by approval id. */
  readonly asked: Map<string, AskedApproval> = new Map();
  /** Messages of other processes since the last message of the user. */
  posted: readonly PostedMessage[] = [];
  granted: readonly Granted[] = [];
  /** The names of subagents by task id, by the id of their call. */
  readonly children: Map<string, Kinds['children']['names']> = new Map();
  /** The names of all subagents. */
  readonly named: Set<string> = new Set();
  /** The names of the subagents that this agent has paid for. */
  readonly paid: Set<string> = new Set();
  /** The ids of all calls, also of those whose messages are gone. */
  readonly callIds: Set<string> = new Set();
  /** The ids that apps gave to messages of the user. */
  readonly ids: Set<string> = new Set();
  readonly systems: Map<string, string | undefined> = new Map();
  readonly accounts: Accounts = new Accounts();
  epoch: ToolState | undefined;
  areToolsOn = true;
  /** Whether requests hold nothing of the tools while they are off. Else the epoch keeps its bytes. */
  areToolsLeftOut = false;
  /** Whether earlier messages were replaced by a summary. */
  isCompacted = false;
  /** The files that the provider has refused, as base64. Requests have a line in the place of each. */
  readonly refused: Set<string> = new Set();
  /** How many of the first messages the provider has answered. */
  #accepted = 0;
  settings: SessionSettings = {};
  outcome: Kinds['outcome'] | undefined;
  /** The texts of the answers of this turn. */
  texts: readonly string[] = [];
  turn = 0;
  /** When this turn began, in milliseconds since 1970. One that goes on in another process began there. */
  began = 0;
  step = 0;
  /** Undefined while a turn runs, or if one was cut short. */
  end: EndReason | undefined;
  seq = 0;
  /** The time of the last entry. */
  at = 0;
  /** The entry of the last answer. Before the first answer, the first entry. */
  answered: Pick<Entry, 'id' | 'seq'> | undefined;
  #request: Kinds['request']['event'] | undefined;
  readonly #segments: SentRequest['segments'][number][] = [];

  /** `given`: the messages of the app, with which the conversation begins. */
  constructor(given: readonly ModelMessage[] = []) {
    if (given.length === 0) return;
    this.messages = given;
    this.adopt(given);
  }

  /**
   * Takes over the calls and the questions in messages that have no entries of their own. Nobody knows who has
   * asked. `added`: the messages that are new.
   */
  adopt(added: readonly ModelMessage[]): void {
    for (const part of partsOf(added))
      if (part.type === 'tool-call') this.callIds.add(part.toolCallId);
    for (const { type: _, ...question } of pendingIn(this.#messages.slice(this.#closed))) {
      const { approvalId } = question;
      if (!this.asked.has(approvalId)) this.asked.set(approvalId, { question, at: 0 });
    }
    this.#changed();
  }

  /** The next entry is taken: what was derived from those before does not hold any more. */
  follow({ id, seq, kind, at }: Pick<Entry, 'id' | 'seq' | 'kind' | 'at'>): void {
    this.seq = seq;
    this.at = Math.max(this.at, at);
    if (kind === 'model' || !this.answered) this.answered = { id, seq };
    this.#changed();
  }

  /**
   * Names a call of the last answer, also for servers that several sessions use. Ids of calls are not enough:
   * some endpoints use them again in each answer.
   */
  keyOf(call: string): string {
    const { id = '', seq = 0 } = this.answered ?? {};
    return `${seq}:${call}:${id}`;
  }

  /** The last request. */
  get request(): SentRequest | undefined {
    return this.#request && { ...this.#request, segments: [...this.#segments] };
  }

  /** A request is sent. */
  sent({ event, keep, add }: Kinds['request']): void {
    this.#request = event;
    this.#segments.length = Math.min(keep, this.#segments.length);
    for (const segment of add) this.#segments.push(segment);
  }

  /** The text of the interrupted answer that is the last message before the open answer. */
  get interrupted(): string | undefined {
    return interruptedText(this.#messages.at(-1));
  }

  /** All messages, with the last answer and with what is known of its calls. */
  get messages(): readonly ModelMessage[] {
    const { before, responses, after } = this.tail;
    this.#all ??= [...this.#messages, ...before, ...responses, ...after];
    return this.#all;
  }

  set messages(messages: readonly ModelMessage[]) {
    this.#messages = messages as ModelMessage[];
    this.#isShared = true;
    this.#closed = 0;
    this.#said = { count: 0, areOff: false };
    this.#changed();
  }

  /** Whether the messages say that tools are switched off. */
  get saysToolsAreOff(): boolean {
    const { before, responses, after } = this.tail;
    const { count, areOff } = this.#said;
    const known = saysToolsAreOff(this.#messages.slice(count)) ?? areOff;
    this.#said = { count: this.#messages.length, areOff: known };
    return saysToolsAreOff([...before, ...responses, ...after]) ?? known;
  }

  /**
   * The messages with which the AI SDK goes on: those before an answer that is read again, or those that end with
   * the answers to approvals whose calls have not all run.
   */
  get begun(): readonly ModelMessage[] {
    if (this.toReplay) return this.settled;
    const { before, responses, after } = this.tail;
    if (after.length === 0 || this.decided.length === 0) return this.messages;
    return [...this.#messages, ...before, ...responses];
  }

  /** The messages before the open answer. */
  get settled(): readonly ModelMessage[] {
    this.#isShared = true;
    return this.#messages;
  }

  get tail(): HistoryTail {
    const { answer, runs, asked } = this;
    if (!answer && this.#closed === this.#messages.length) return NO_TAIL;
    this.#tail ??= tailOf({
      messages: this.#messages.slice(this.#closed),
      answer: answer?.content,
      outcomes: (id) => runs.get(id)?.outcome,
      asked: [...asked.values()],
    });
    return this.#tail;
  }

  /** The calls without an outcome. */
  get open(): readonly OpenCall[] {
    const { before, responses, after } = this.tail;
    return openCalls([...this.#messages.slice(this.#closed), ...before, ...responses, ...after]);
  }

  /**
   * An answer of a turn that was cut short. It is read again, so that the AI SDK runs its calls. Undefined where the
   * user was asked about some of them.
   */
  get toReplay(): OpenAnswer | undefined {
    const { answer, askedCalls } = this;
    const calls = answer?.content.filter((part) => part.type === 'tool-call') ?? [];
    return calls.some(({ toolCallId }) => askedCalls.has(toolCallId)) ? undefined : answer;
  }

  /** Whether a turn has left calls that may go on: an answer to read again, or a tool that had started. */
  get isCut(): boolean {
    return this.toReplay !== undefined || this.open.some(({ id }) => this.runs.has(id));
  }

  /** Whether the last turn has not ended, or ended to wait for the user. */
  get isOpen(): boolean {
    return this.turn > 0 && (this.end === undefined || this.pending.length > 0);
  }

  /** The approvals that the user has not answered, with what is known of their questions. */
  get pending(): readonly PendingApproval[] {
    return this.#openAsked.flatMap(({ question, answer }) => (answer ? [] : askedEvent(question)));
  }

  /** The questions about open calls, answered or not. */
  get #openAsked(): readonly AskedApproval[] {
    const open = new Set(this.open.map(({ id }) => id));
    return [...this.asked.values()].filter(({ question }) => open.has(question.id));
  }

  /** The ids of the calls that the user was asked about. */
  get askedCalls(): ReadonlySet<string> {
    return new Set([...this.asked.values()].map(({ question }) => question.id));
  }

  /** The answered approvals of open calls, each with its question. */
  get decided(): readonly (readonly [asked: Kinds['approval'], answer: ApprovalAnswer])[] {
    return this.#openAsked.flatMap(({ question, answer }) =>
      answer ? [[question, answer] as const] : [],
    );
  }

  /** The provider has answered a request with all messages so far. */
  accept(): void {
    this.#accepted = this.#messages.length;
  }

  /**
   * The provider has refused a request because of a file, and seldom says which. It has taken those of earlier requests, so that it
   * is one of those since. Where none came since, it can be any: without this, each later request would be refused too.
   */
  refuseFiles(): void {
    const earlier = new Set(filesIn(this.#messages.slice(0, this.#accepted)));
    const since = filesIn(this.#messages.slice(this.#accepted)).filter((one) => !earlier.has(one));
    for (const file of since.some((one) => !this.refused.has(one)) ? since : earlier)
      this.refused.add(file);
  }

  /** Sets the messages. The first `same` of them say what those before say. */
  replace(messages: readonly ModelMessage[], same: number): void {
    const closed = Math.min(this.#closed, same);
    this.messages = messages;
    this.#closed = closed;
    this.#accepted = Math.min(this.#accepted, same);
    this.answer = undefined;
    this.#forget();
  }

  /** Adds messages behind those that follow from the last answer. */
  add(...messages: readonly ModelMessage[]): void {
    const { before, responses, after } = this.tail;
    const added = [...before, ...responses, ...after, ...messages];
    if (added.length > 0 && this.#isShared) {
      this.#messages = [...this.#messages];
      this.#isShared = false;
    }
    for (const message of added) this.#messages.push(message);
    this.answer = undefined;
    this.#forget();
  }

  #changed(): void {
    this.#tail = undefined;
    this.#all = undefined;
  }

  /** Forgets what was known of calls that are no longer open. */
  #forget(): void {
    const open = openCalls(this.#messages.slice(this.#closed));
    if (open.length === 0) this.#closed = this.#messages.length;
    const ids = new Set(open.map(({ id }) => id));
    for (const id of this.runs.keys()) if (!ids.has(id)) this.runs.delete(id);
    for (const [approvalId, { question }] of this.asked)
      if (!ids.has(question.id)) this.asked.delete(approvalId);
    this.#changed();
  }
}
