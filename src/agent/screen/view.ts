import type {
  AgentEvent,
  DecisionSource,
  EndCode,
  EndReason,
  PendingElicitation,
  SentRequest,
  Spending,
  SubagentStatus,
} from '../events/index.ts';

type Event<TYPE extends AgentEvent['type']> = Extract<AgentEvent, { type: TYPE }>;

/** What a chat shows of a conversation. Plain data; what an event does not change stays the same object. */
export interface ScreenView {
  readonly turns: readonly ScreenTurn[];
}

/** What the user said, and all that followed. An answer to an approval continues the turn. */
export interface ScreenTurn {
  /** The number of the turn, if the events have one. */
  readonly number?: number;
  readonly user?: string;
  readonly start?: Omit<Event<'start'>, 'type'>;
  /** The last request. */
  readonly request?: Pick<SentRequest, 'request' | 'strategy' | 'form' | 'tokens'>;
  /** Number of requests so far. */
  readonly step: number;
  readonly blocks: readonly ScreenBlock[];
  /** Calls whose arguments the model writes at present. */
  readonly writing?: readonly CallDraft[];
  /** Text and reasoning that were withdrawn, because their answer broke off. */
  readonly withdrawn?: readonly { readonly text?: string; readonly reasoning?: string }[];
  readonly notices: readonly ScreenNotice[];
  /** Tokens and money of this turn, without subagents. */
  readonly usage: Spending;
  readonly end?: ScreenEnd;
}

export type ScreenBlock = ScreenText | ScreenCall;

/** A text of the model. Texts of different requests are different blocks. */
export interface ScreenText {
  readonly kind: 'text' | 'reasoning';
  /** The request, counted in the turn, that this is an answer to. */
  readonly step: number;
  readonly text: string;
}

/**
 * `waiting`: not run yet. `asked`: the user must approve it. `running`: its tool runs.
 * `unknown`: it was interrupted, and nobody knows its effect. `withdrawn`: its answer broke off.
 */
export type CallStatus =
  | 'waiting'
  | 'asked'
  | 'running'
  | 'done'
  | 'failed'
  | 'denied'
  | 'unknown'
  | 'withdrawn';

/** A call of a tool. */
export interface ScreenCall
  extends Partial<Pick<Event<'call'>, 'arguments' | 'schema' | 'wireName' | 'raw'>> {
  readonly kind: 'call';
  readonly step: number;
  readonly id: string;
  readonly name: string;
  readonly status: CallStatus;
  readonly approval?: ScreenApproval;
  readonly output?: unknown;
  readonly error?: string;
  /** Milliseconds that the tool ran. */
  readonly duration?: number;
  readonly children: readonly ScreenChild[];
  /** What is known only until the call has an outcome. */
  readonly live?: CallLive;
}

/** The question about a call, and its answer. */
export interface ScreenApproval {
  readonly approvalId?: string;
  /** Why the user is asked. */
  readonly reason?: string;
  /** Who requires the approval. Absent: a hook. */
  readonly askedBy?: 'hook' | 'setting';
  /** The key of a hook's question. */
  readonly askKey?: string;
  readonly decision?: {
    readonly approved: boolean;
    readonly reason?: string;
    readonly scope?: NonNullable<Event<'decision'>['scope']>;
    readonly source?: DecisionSource;
  };
}

/** A call whose arguments are not complete. */
export interface CallDraft {
  readonly id: string;
  readonly name?: string;
  /** The arguments, as far as they are known. */
  readonly text: string;
}

/** What a call shows while it runs. */
export interface CallLive {
  readonly progress?: Omit<Event<'tool-progress'>, 'type' | 'id' | 'name'>;
  /** The last log message of its server. */
  readonly log?: Omit<Event<'tool-log'>, 'type' | 'id' | 'name'>;
  /** What its server asks the user. */
  readonly elicitations?: readonly PendingElicitation[];
}

/** A subagent. */
export interface ScreenChild {
  readonly child: string;
  readonly task: string;
  readonly status: SubagentStatus | 'running';
  readonly error?: string;
  /** Its cost, with its own subagents. */
  readonly spent?: Spending;
  readonly turns: readonly ScreenTurn[];
}

/** The types of events that a screen shows as notices. */
export const NOTICES = [
  'warning',
  'rounds',
  'retry',
  'fallback',
  'epoch',
  'compaction',
  'tools-changed',
  'prefix-broken',
  'compaction',
  'preload',
  'load',
] as const;

export type ScreenNotice = Event<(typeof NOTICES)[number]>;

export interface ScreenEnd {
  readonly reason: EndReason;
  readonly roundsLeft?: number;
  /** The message of the error. */
  readonly error?: string;
  readonly code?: EndCode;
}
