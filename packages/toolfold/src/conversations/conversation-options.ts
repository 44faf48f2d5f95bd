import type { AgentEvent } from '@toolfold/agent/internal/events';
import type { Agent, StampedEvent } from '@toolfold/agent/internal/options';
import type { Session, SessionStore } from '@toolfold/agent/internal/sessions';
import type { AgentMaker, Settings } from '../agents/index.ts';
import type { Asker } from '../questions/index.ts';
import type { WaitingMessage, WaitingMessages } from '../stored-sessions/index.ts';
import type { IdleTitle } from './idle-title.ts';
import type { ConversationObserver } from './session-view.ts';

/** Where a conversation gets its agents from. Without `unknown`, nobody is asked here about calls of another process. */
export type AgentSource = Pick<AgentMaker, 'prepare' | 'apply' | 'events'> &
  Partial<Pick<AgentMaker, 'unknown'>>;

export interface ConversationOptions {
  readonly store: SessionStore;
  readonly folder: string;
  readonly agents: AgentSource;
  readonly settings: Settings;
  /** The id of a new session. Left out, the store chooses one. */
  readonly id?: string | undefined;
  /** Asks what other processes ask, and whether to go on. Undefined if nobody can be asked. */
  readonly asker?: Asker | undefined;
  readonly watch?: ConversationObserver | undefined;
  /** Where messages that wait are kept. Left out, they end with the process. */
  readonly waiting?: WaitingMessages | undefined;
  /** Gets the events of each turn without secrets, one after the other. */
  readonly take?: ((event: AgentEvent) => void | Promise<void>) | undefined;
  /** The texts of secrets. */
  readonly secrets?: () => readonly string[];
  /** Gives sessions titles between turns. */
  readonly titles?: IdleTitle | undefined;
  /** Called when a session was opened to go on with it, or a new one (undefined). */
  readonly onOpened?: ((session: Session | undefined) => void) | undefined;
  /** Called before a turn if another process has written the session meanwhile. */
  readonly onReread?: (() => Promise<void>) | undefined;
}

/**
 * `idle`: it waits for the user. `running`: a turn runs here. `elsewhere`: another process runs a turn of
 * this session, which is followed.
 */
export type ConversationStatus = 'idle' | 'running' | 'elsewhere';

/** Begins a turn. */
export type Begin = (
  agent: Agent,
  signal: AbortSignal,
) => AsyncIterable<StampedEvent> | Promise<AsyncIterable<StampedEvent>>;

/** How a turn is run. */
export interface RunTurnOptions {
  /** The title of a new session begins with it. */
  readonly title?: string;
  /** Cancels the turn. */
  readonly given?: AbortSignal | undefined;
  /** The message that the turn sends. It waits again if its turn cannot begin. */
  readonly message?: WaitingMessage;
}

/** A turn that runs here. */
export interface RunningTurn {
  readonly stop: AbortController;
  /** Takes back what the user has written during the turn. */
  readonly back: AbortController;
  readonly ended: Promise<void>;
}

export type TurnEnd = Extract<AgentEvent, { type: 'end' }>;
