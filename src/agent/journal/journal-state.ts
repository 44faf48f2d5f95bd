import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from 'ai';
import { mcpOutput, plainOutput } from '../../ai-sdk/results/index.ts';
import { ToolfoldError } from '../../errors.ts';
import { readStamp } from '../../host/index.ts';
import { type Entry, MISSING_ENTRY } from '../../sessions/index.ts';
import type { ToolState } from '../../tools/epoch/index.ts';
import { openCalls, withoutOpenAnswers } from '../conversation/index.ts';
import {
  type AgentEvent,
  type ApprovalAnswer,
  type EndReason,
  readAskedBy,
  type SentRequest,
} from '../events/index.ts';
import type { Kind, Kinds, RunOutcome, SessionSettings } from './kinds.ts';
import { restored } from './plain.ts';

/** A call that was started. */
export interface Run {
  readonly name: string;
  /** Absent if the tool may still run, or ran when its process was killed. */
  readonly outcome?: RunOutcome;
  /** The outcome is known to this process alone. */
  readonly isUnwritten?: true;
  readonly choice?: Kinds['unknown'];
}

/** An answer of the model whose calls may not have run. */
export type OpenAnswer = Omit<Kinds['model'], 'step'>;

/** A hook's question about a tool that the user has approved. */
export interface GrantedKey {
  readonly name: string;
  readonly askKey: string;
  readonly fingerprint: string;
}

type Asked = Kinds['approval'];
type Result = Extract<ToolModelMessage['content'][number], { type: 'tool-result' }>;

/** What the entries of a session say: a reducer over them. */
export class JournalState {
  #messages: ModelMessage[] = [];
  /** Whether somebody else has the list of messages. Then it is copied before it grows. */
  #isShared = false;
  /** How many of the first messages leave no call open. */
  #closed = 0;
  answer: OpenAnswer | undefined;
  /** Runs since the last messages, by call id. */
  readonly runs: Map<string, Run> = new Map();
  /** Intended calls since the last answer, by id. */
  readonly calls: Set<string> = new Set();
  /** Approvals that were asked for and are not answered, with what the user saw. */
  readonly asked: Map<string, Asked> = new Map();
  /** Answers to approvals of calls that have not run, by approval id. */
  readonly answers: Map<string, ApprovalAnswer> = new Map();
  /** Fingerprints of tools that the user has approved for the session, by name. */
  readonly granted: Map<string, string> = new Map();
  /** Questions of hooks that the user has approved for the session, the latest last. */
  grantedKeys: readonly GrantedKey[] = [];
  /** The names of subagents by task id, by the id of their call. */
  readonly children: Map<string, Kinds['children']['names']> = new Map();
  /** The names of all subagents. */
  readonly named: Set<string> = new Set();
  /** The ids that apps gave to messages of the user. */
  readonly ids: Set<string> = new Set();
  readonly systems: Map<string, string | undefined> = new Map();
  epoch: ToolState | undefined;
  areToolsOn = true;
  /** Whether earlier messages were replaced by a summary. */
  isCompacted = false;
  settings: SessionSettings = {};
  outcome: Kinds['outcome'] | undefined;
  turn = 0;
  step = 0;
  /** Undefined while a turn runs, or if one was cut short. */
  end: EndReason | undefined;
  seq = 0;
  /** The entry of the last answer. Before the first answer, the first entry. */
  answered: Pick<Entry, 'id' | 'seq'> | undefined;
  #request: Kinds['request']['event'] | undefined;
  readonly #segments: SentRequest['segments'][number][] = [];
  /** Usages of the agent and of its subagents. */
  readonly usages: AgentEvent[] = [];

  take(entry: Entry): void {
    if (entry.kind === MISSING_ENTRY) {
      throw new ToolfoldError(
        'session-damaged',
        `Damage of its file has destroyed the entry ${entry.seq} of the session.`,
        'The session cannot be continued. It can be read, exported, and forked before this entry.',
      );
    }
    this.#follow(entry);
    if (!Object.hasOwn(TAKE, entry.kind)) return;
    try {
      TAKE[entry.kind as Kind]?.(this, restored(entry.body) as never);
    } catch (error) {
      throw new ToolfoldError(
        'session-damaged',
        `The entry ${entry.seq} of the session (${entry.kind}) is not as an agent writes it.`,
        'The session cannot be continued.',
        error,
      );
    }
  }

  /** Takes a result that could not be written yet. */
  settle(result: Kinds['result']): void {
    const before = this.runs.get(result.id);
    TAKE.result?.(this, result);
    const run = this.runs.get(result.id);
    if (run && run !== before) this.runs.set(result.id, { ...run, isUnwritten: true });
  }

  /** Forgets results that were not written. Another process has gone on without them. */
  unsettle(): void {
    for (const [id, { outcome: _, isUnwritten, ...open }] of this.runs)
      if (isUnwritten) this.runs.set(id, open);
  }

  /** For a conversation that is not kept: counts an entry without keeping what it says. */
  count<KIND extends Kind>(kind: KIND, body: Kinds[KIND]): void {
    this.#follow({ id: globalThis.crypto.randomUUID(), seq: this.seq + 1, kind });
    if (kind === 'turn') TAKE.turn?.(this, body as Kinds['turn']);
    if (kind === 'model') this.step = (body as Kinds['model']).step;
    // What the user was asked is compared to what would run after the answer.
    if (kind === 'turn' && (body as Kinds['turn']).how === 'send') this.asked.clear();
    if (kind === 'approval') TAKE.approval?.(this, body as Kinds['approval']);
  }

  #follow({ id, seq, kind }: Pick<Entry, 'id' | 'seq' | 'kind'>): void {
    this.seq = seq;
    if (kind === 'model' || !this.answered) this.answered = { id, seq };
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

  /** The messages before the open answer. */
  get messages(): readonly ModelMessage[] {
    this.#isShared = true;
    return this.#messages;
  }

  set messages(messages: readonly ModelMessage[]) {
    this.#messages = messages as ModelMessage[];
    this.#isShared = true;
    this.#closed = 0;
  }

  /** The messages with the open answer and with the results that are known. */
  settled(): readonly ModelMessage[] {
    const known = this.#known();
    return known.length > 0 ? [...this.#messages, ...known] : this.messages;
  }

  /** Sets the messages. The first `same` of them say what those before say. */
  replace(messages: readonly ModelMessage[], same: number): void {
    const closed = Math.min(this.#closed, same);
    this.messages = messages;
    this.#closed = closed;
    this.answer = undefined;
    this.#forget();
  }

  /** Adds messages behind those that are settled. */
  add(...messages: readonly ModelMessage[]): void {
    const added = [...this.#known(), ...messages];
    if (added.length > 0 && this.#isShared) {
      this.#messages = [...this.#messages];
      this.#isShared = false;
    }
    for (const message of added) this.#messages.push(message);
    this.answer = undefined;
    this.#forget();
  }

  /** The messages that follow from the open answer and from results. */
  #known(): readonly ModelMessage[] {
    const { answer, runs } = this;
    if (!answer && runs.size === 0) return [];
    const message: AssistantModelMessage[] = answer
      ? [{ role: 'assistant', content: answer.content }]
      : [];
    const open = openCalls([...this.#messages.slice(this.#closed), ...message]);
    const results = open.flatMap(({ id, name, options }): Result[] => {
      const outcome = runs.get(id)?.outcome;
      if (!outcome) return [];
      const given = options ? { providerOptions: options } : {};
      const output = outputOf(outcome, readStamp(options)?.f === 'mcp');
      return [{ type: 'tool-result', toolCallId: id, toolName: name, output, ...given }];
    });
    return results.length > 0 ? [...message, { role: 'tool', content: results }] : message;
  }

  /** Forgets what was known of calls that are no longer open. */
  #forget(): void {
    const open = openCalls(this.#messages.slice(this.#closed));
    if (open.length === 0) this.#closed = this.#messages.length;
    const ids = new Set(open.map(({ id }) => id));
    for (const id of this.runs.keys()) if (!ids.has(id)) this.runs.delete(id);
    for (const [approvalId, { id }] of this.asked)
      if (!ids.has(id)) {
        this.asked.delete(approvalId);
        this.answers.delete(approvalId);
      }
  }
}

/** The output that the model gets of a tool without a conversion of its own. */
function outputOf({ output, error, thrown }: RunOutcome, isMcp: boolean): Result['output'] {
  if (error === undefined && thrown === undefined)
    return isMcp ? mcpOutput(output) : plainOutput(output);
  return { type: 'error-text', value: thrown ?? error ?? '' };
}

type Take = {
  readonly [KIND in Kind]?: (state: JournalState, body: Kinds[KIND]) => void;
};

const TAKE: Take = {
  turn: (state, { number }) => {
    state.turn = number;
    state.step = 0;
    state.end = undefined;
  },
  user: (state, { message, id }) => {
    if (id !== undefined) state.ids.add(id);
    state.add(message);
  },
  model: (state, { step, ...answer }) => {
    const { content } = answer;
    state.add();
    state.answer = answer;
    state.step = step;
    state.calls.clear();
    // Endpoints may use an id again in each answer.
    for (const part of content) {
      if (part.type !== 'tool-call') continue;
      state.runs.delete(part.toolCallId);
      state.children.delete(part.toolCallId);
    }
  },
  call: ({ calls }, { id }) => void calls.add(id),
  approval: ({ asked, answers }, approval) => {
    asked.set(approval.approvalId, approval);
    answers.delete(approval.approvalId);
  },
  answer: (state, answer) => {
    const { approvalId, approved, scope, reason, name, fingerprint } = answer;
    state.answers.set(approvalId, {
      approved,
      ...(scope === undefined ? {} : { scope }),
      ...(reason === undefined ? {} : { reason }),
    });
    const isLonger = scope === 'session' || scope === 'always';
    // Without a definition nobody could tell whether the tool is still the one that was approved.
    if (!approved || !isLonger || fingerprint === undefined) return;
    const { askedBy, askKey } = readAskedBy(answer);
    if (askedBy === 'setting') state.granted.set(name, fingerprint);
    else if (askKey !== undefined)
      state.grantedKeys = [...state.grantedKeys, { name, askKey, fingerprint }];
  },
  start: ({ runs }, { id, name }) => void runs.set(id, { name }),
  result: ({ runs, answered }, { answer, id, name, duration: _, isBridge: __, ...outcome }) => {
    // A tool that did not stop may end when a later answer has used the id again.
    if (answer !== undefined && answer !== answered?.seq) return;
    const { choice } = runs.get(id) ?? {};
    runs.set(id, { name, outcome, ...(choice ? { choice } : {}) });
  },
  unknown: ({ runs }, choice) =>
    void runs.set(choice.id, { name: choice.name, ...runs.get(choice.id), choice }),
  messages: (state, { keep, add }) => {
    const before = state.settled();
    if (keep === before.length) state.add(...add);
    else state.replace([...before.slice(0, keep), ...add], keep);
  },
  compaction: (state, { messages }) => {
    state.replace(messages, 0);
    state.epoch = undefined;
    state.isCompacted = true;
  },
  epoch: (state, { state: epoch }) => {
    state.epoch = epoch;
  },
  dropped: (state) => {
    state.answer = undefined;
  },
  request: (state, body) => {
    state.sent(body);
  },
  system: ({ systems }, { key, text }) => void systems.set(key, text ?? undefined),
  tools: (state, { on }) => {
    state.areToolsOn = on;
  },
  settings: (state, settings) => {
    state.settings = settings;
  },
  children: ({ children, named }, { id, names }) => {
    children.set(id, names);
    for (const name of Object.values(names)) named.add(name);
  },
  outcome: (state, outcome) => {
    state.outcome = outcome;
  },
  imported: (state) => {
    state.granted.clear();
    state.grantedKeys = [];
    // A file could name the settings in place of a hook.
    for (const [id, { askedBy: _, askKey: __, ...asked }] of state.asked)
      state.asked.set(id, asked);
    // Models trust system text more than messages, so it is made again here.
    state.systems.clear();
    state.epoch = undefined;
    state.answers.clear();
    for (const [id, { name, outcome }] of state.runs)
      state.runs.set(id, outcome ? { name, outcome } : { name });
    state.messages = withoutOpenAnswers(state.messages);
  },
  event: (state, { event }) => {
    if (event.type === 'end') {
      state.end = event.reason;
      // A turn that has ended leaves nothing open: its messages are written.
      state.add();
    }
    if (event.type === 'usage' || event.type === 'subagent') state.usages.push(event);
  },
};
