import type { AssistantModelMessage, ModelMessage, UserModelMessage } from 'ai';
import type { RoutingMode } from '../../config/index.ts';
import type { ToolState } from '../../tools/epoch/index.ts';
import type { StrategyChoice } from '../../tools/strategies/index.ts';
import type { AgentEvent, ApprovalAnswer, AskedBy, SentRequest } from '../events/index.ts';

export type AnswerParts = Exclude<AssistantModelMessage['content'], string>;
type Of<TYPE extends AgentEvent['type']> = Omit<Extract<AgentEvent, { type: TYPE }>, 'type'>;

/** How a turn began. */
export type TurnKind = 'send' | 'answer' | 'resume' | 'compact';

/** What a user decides about a call whose outcome is unknown. */
export interface UnknownChoice {
  /** `again`: the call is run again. `happened`: it took effect. `leave`: the model is told that nobody knows. */
  readonly choice: 'again' | 'happened' | 'leave';
  /** What happened, for the model. */
  readonly note?: string | undefined;
}

/** A tool's end. `error`: the text for people, `thrown`: the text that the model gets. */
export interface RunOutcome {
  readonly output?: unknown;
  readonly error?: string;
  readonly thrown?: string;
}

/** The entries that an agent writes into its session, by kind. All bodies are plain data. */
export interface Kinds {
  /** A turn begins. `number` counts the turns of the session. */
  readonly turn: { readonly number: number; readonly how: TurnKind };
  /** `id`: the app's name for the message. */
  readonly user: { readonly message: UserModelMessage; readonly id?: string };
  /**
   * A complete answer of the model, as it is sent back: signatures and notes included. It is written
   * before any of its calls runs.
   */
  readonly model: {
    readonly step: number;
    readonly content: AnswerParts;
    /** The raw text of arguments that are no JSON object, by call id. */
    readonly inputs?: Readonly<Record<string, string>>;
    /** The number of its `request`. Absent if an earlier version has written it for a request without tools. */
    readonly request?: number;
    readonly finish: { readonly unified: string; readonly raw: string | null };
  };
  /** The model intends a call of a real tool, or one that was refused. Written together with its answer. */
  readonly call: Of<'call'>;
  /**
   * The user is asked. `definition`: the tool as the user saw it, as canonical JSON. Without `askedBy`, a hook
   * has asked.
   */
  readonly approval: Omit<Of<'approval'>, 'askedBy'> &
    Partial<AskedBy> & { readonly definition?: string };
  /**
   * The user's answer to one approval. `fingerprint`: the definition that a longer approval holds for.
   * Without `askedBy`, a hook has asked.
   */
  readonly answer: ApprovalAnswer &
    Partial<AskedBy> & {
      readonly approvalId: string;
      readonly id: string;
      readonly name: string;
      readonly fingerprint?: string;
    };
  /** The tool is about to run. From here on it may have had an effect. */
  readonly start: { readonly id: string; readonly name: string };
  /**
   * The tool has ended. `duration` in milliseconds. `answer`: the number of the entry with its call; absent if an
   * earlier version has written it.
   */
  readonly result: RunOutcome & {
    readonly answer?: number;
    readonly id: string;
    readonly name: string;
    readonly duration?: number;
    /** The tool is a bridge tool of Toolfold. */
    readonly isBridge?: true;
  };
  /** What the user decided about a call that had started and has no result. */
  readonly unknown: UnknownChoice & { readonly id: string; readonly name: string };
  /**
   * The messages of the conversation: the first `keep` of those before, then `add`. Written only where
   * they do not follow from the other entries.
   */
  readonly messages: { readonly keep: number; readonly add: readonly ModelMessage[] };
  /** The conversation was made shorter: these messages stand in its place. */
  readonly compaction: {
    readonly messages: readonly ModelMessage[];
    readonly summary: string;
    readonly cause: 'window' | 'user';
    /** Estimated tokens before and after. */
    readonly before: number;
    readonly after: number;
  };
  /** The state of the tool layer with which another process sends the same bytes. */
  readonly epoch: { readonly state: ToolState };
  /** The system text that hooks made, by the key of its epoch. */
  readonly system: { readonly key: string; readonly text: string | null };
  readonly tools: { readonly on: boolean };
  readonly settings: SessionSettings;
  /** The last answer is not kept: its turn broke off before any of its calls ran. */
  readonly dropped: { readonly step: number };
  /**
   * A request as it was sent: its event, and its segments as the first `keep` of the request before and
   * then `add`. The store has their texts by their hashes.
   */
  readonly request: {
    readonly event: Omit<SentRequest, 'segments'>;
    readonly keep: number;
    readonly add: SentRequest['segments'];
  };
  /** An event that does not follow from other entries. */
  readonly event: { readonly event: AgentEvent };
  /** The names of the subagents of a call, by task id. Each has a session of its own. */
  readonly children: { readonly id: string; readonly names: Readonly<Record<string, string>> };
  /** How a subagent ended. */
  readonly outcome: { readonly status: string; readonly text: string; readonly error?: string };
  readonly label: { readonly text: string };
  /** The entries before it come from a file. What they permit does not hold: the user is asked again. */
  readonly imported: Readonly<Record<string, never>>;
}

/** The settings of a conversation that may change between its turns. */
export interface SessionSettings {
  /** `provider/name`. */
  readonly model?: string;
  /** Null for no role. */
  readonly role?: string | null;
  readonly strategy?: StrategyChoice;
  readonly routing?: RoutingMode;
  /**
   * `recall_result` is declared from the first request on, so that a compaction changes no tools. Set when a
   * conversation with tools begins, and never later. Absent in sessions of earlier versions.
   */
  readonly recall?: true;
}

export type Kind = keyof Kinds;

/** An entry to write. */
export type Write = { readonly [KIND in Kind]: readonly [KIND, Kinds[KIND]] }[Kind];
