import type {
  AgentEvent,
  PendingElicitation,
  SentRequest,
  Spending,
  SubagentStatus,
} from './events.ts';
import type { FailureFacts } from './turn-error.ts';

export type EventOf<TYPE extends AgentEvent['type']> = Extract<AgentEvent, { type: TYPE }>;

/** What a chat shows of a conversation. Plain data; what an event does not change stays the same object. */
export interface ScreenView {
  readonly turns: readonly ScreenTurn[];
}

/** What the user said, and all that followed. An answer to an approval continues the turn. */
export interface ScreenTurn {
  /** The number of the turn, if the events have one. */
  readonly number?: number;
  readonly user?: string;
  readonly start?: Omit<EventOf<'start'>, 'type'>;
  /** The last request. */
  readonly request?: Pick<SentRequest, 'request' | 'strategy' | 'form' | 'tokens' | 'cache'>;
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
  extends Pick<EventOf<'call'>, 'id' | 'name'>,
    Partial<Pick<EventOf<'call'>, 'arguments' | 'schema' | 'wireName' | 'raw'>> {
  readonly kind: 'call';
  readonly step: number;
  readonly status: CallStatus;
  /** What was repaired in its arguments. */
  readonly repairs?: readonly string[];
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
export interface ScreenApproval
  extends Partial<Pick<EventOf<'approval'>, 'approvalId' | 'reason' | 'askedBy' | 'askKey'>> {
  readonly decision?: Pick<EventOf<'decision'>, 'approved' | 'reason' | 'scope' | 'source'>;
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
  readonly progress?: Omit<EventOf<'tool-progress'>, 'type' | 'id' | 'name'>;
  /** The last log message of its server. */
  readonly log?: Omit<EventOf<'tool-log'>, 'type' | 'id' | 'name'>;
  /** What its server asks the user. */
  readonly elicitations?: readonly PendingElicitation[];
}

/** A subagent. */
export interface ScreenChild
  extends Pick<EventOf<'subagent-end'>, 'child' | 'task' | 'error'>,
    Partial<Pick<EventOf<'subagent-end'>, 'spent'>> {
  readonly status: SubagentStatus | 'running';
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
  'preload',
  'load',
] as const;

export type ScreenNotice = EventOf<(typeof NOTICES)[number]> & {
  /** Number of blocks of the turn that stood before it. */
  readonly place: number;
};

export interface ScreenEnd extends Pick<EventOf<'end'>, 'reason' | 'roundsLeft' | 'code'> {
  /** The message of the error. */
  readonly error?: string;
  /** What is known of the request that failed. */
  readonly facts?: FailureFacts;
}
