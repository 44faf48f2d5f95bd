import type { ScreenTurn } from '@toolfold/agent/internal/events';
import type { MappedTool, Prompt, PromptParts } from '../insight/index.ts';
import type { AnswerChoice, Question } from '../questions/index.ts';

/** The version of the wire. A page of another version is told to load again. */
export const WIRE_VERSION = 1;

/** Turns of a state. Those before are fetched by address. */
export const MOST_TURNS = 30;
/** Characters of an output or an argument beyond which it is fetched by address. */
export const MAX_INLINE = 64_000;
/** Bars of a state. Those before are fetched by address. */
export const MOST_BARS = 60;

/**
 * All that the page shows of one session, as plain JSON without secrets. Each connection begins with a whole state; what
 * follows are patches. Parts that have not changed are the same objects on both sides.
 */
export interface WireState {
  readonly version: typeof WIRE_VERSION;
  readonly session: WireSession;
  /** The last turns. A large value is a `LargeValue`. */
  readonly turns: readonly ScreenTurn[];
  /** How many turns stand before them. */
  readonly earlier: number;
  /** What the user is asked in this session, in order. */
  readonly questions: readonly WireQuestion[];
  /** Messages that wait. */
  readonly queue: readonly WireMessage[];
  readonly indicator: WireIndicator;
  /** The newest requests, in order. */
  readonly bars: readonly WireBar[];
  readonly earlierBars: number;
  readonly servers: readonly WireServer[];
  /** Quick questions of this session, in order. */
  readonly quick: readonly WireQuick[];
  /** Lines about the configuration, servers and failures, the newest last. */
  readonly notes: readonly WireNote[];
  /** The same for all sessions. */
  readonly home: WireHome;
}

/** What stands in place of a value that is fetched by its address. */
export interface LargeValue {
  readonly large: {
    readonly address: string;
    readonly characters: number;
    readonly beginning: string;
  };
}

export interface WireSession {
  readonly id: string;
  /** Empty before the first message. */
  readonly title: string;
  readonly folder: string;
  /** Whether the store has it: not before the first message, and never in the demo. */
  readonly isStored: boolean;
  readonly isDemo: boolean;
  readonly state: 'idle' | 'running' | 'elsewhere';
  readonly canCancel: boolean;
  /** The message of a turn that begins. */
  readonly sending?: string;
  /** Seconds until a request that failed is sent again. */
  readonly secondsToRetry?: number;
  /** Whether the last turn stopped in its middle and can go on. */
  readonly canContinue: boolean;
  readonly model?: string;
  readonly models: readonly string[];
  readonly role: string | null;
  readonly roles: readonly string[];
  readonly strategy?: string;
  /** That of the prices, such as `USD`. */
  readonly currency: string;
  /** Where the session that is a fork comes from. */
  readonly forkOf?: string;
  /** The command that goes on with this session on a terminal. */
  readonly wayBack: string;
  /** Whether the file of the configuration has changed since the session was opened. */
  readonly isConfigChanged: boolean;
}

/** A question, and where it is asked. */
export interface WireQuestion extends Omit<Question, 'choices'> {
  readonly id: string;
  readonly choices: readonly AnswerChoice[];
  /** Milliseconds since 1970. */
  readonly since: number;
}

export interface WireMessage {
  readonly id: string;
  readonly text: string;
  /** Another process has left it, and the next turn sends it. */
  readonly isLeft: boolean;
}

/** The light at the input, with its tooltip. */
export interface WireIndicator {
  /** Whether the next request has tools that can be called. */
  readonly areToolsOn: boolean;
  /** Such as `on 1,870`, or `off`. */
  readonly label: string;
  /** Such as `14 tools inline, 211 on demand, 3 loaded; 1,870 tokens with each message, 52,300 with all schemas`. */
  readonly tooltip: string;
  /** Whether that is the plan of a first request, or what the last one held. */
  readonly source: 'plan' | 'request';
  /** The rest of the line: model, window, cached share, money. */
  readonly parts: readonly string[];
}

/** One request as it was sent. */
export type WireBar = Omit<Prompt, 'session'>;

/** A request in parts: fetched when a bar opens. Texts are cut to `MAX_INLINE`. */
export type WirePrompt = Omit<PromptParts, 'session'>;

/** A server and its switch. */
export interface WireServer {
  readonly name: string;
  readonly state: 'ready' | 'idle' | 'connecting' | 'needs-auth' | 'failed' | 'closed';
  readonly tools: number;
  readonly reason?: string;
  readonly remedy?: string;
  /** Whether this session uses its tools. */
  readonly isOn: boolean;
}

/** The map of tools: fetched when it is shown. */
export interface WireMap {
  readonly tools: readonly MappedTool[];
  /** The file that a change is written to. It may not exist yet. */
  readonly file: string;
  /** Whether a change of this process can be undone. */
  readonly canUndo: boolean;
}

export interface WireQuick {
  readonly id: string;
  readonly question: string;
  readonly withConversation: boolean;
  readonly answer: string;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  readonly tokens?: number;
  /** Such as `0.0012 USD`. */
  readonly cost?: string;
}

export interface WireNote {
  readonly id: string;
  readonly text: string;
}

/** What is the same for all sessions. */
export interface WireHome {
  readonly sessions: readonly WireListed[];
  /** What waits for the user over all open sessions. */
  readonly waiting: readonly {
    readonly session: string;
    readonly title: string;
    readonly question: string;
    readonly text: string;
  }[];
}

/** A session in the list. */
export interface WireListed {
  readonly id: string;
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
  readonly state: string;
  /** Whether the server of the page has it open. */
  readonly isOpen: boolean;
  /** Where it works. Empty if that is not known. */
  readonly folder: string;
}
