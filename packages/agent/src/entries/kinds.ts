import type { RoutingMode } from '@toolfold/config/internal/settings';
import type { ToolState } from '@toolfold/core/internal/request';
import type { StrategyChoice } from '@toolfold/core/internal/tool';
import { sameStart } from '@toolfold/core/internal/values';
import type {
  AssistantModelMessage,
  ModelMessage,
  ToolCallPart,
  ToolModelMessage,
  UserModelMessage,
} from 'ai';
import type { AgentEvent, ApprovalAnswer, AskedBy, SentRequest } from '../events/index.ts';
import type { PostedMessage } from '../sessions/index.ts';

export type AnswerParts = Exclude<AssistantModelMessage['content'], string>;
export type Content = AnswerParts[number];
export type ResultPart = Extract<ToolModelMessage['content'][number], { type: 'tool-result' }>;
type BodyOf<TYPE extends AgentEvent['type']> = Omit<Extract<AgentEvent, { type: TYPE }>, 'type'>;

/** How a turn began. */
export type TurnKind = 'send' | 'answer' | 'resume' | 'compact';

/** What a user decides about a call whose outcome is unknown. */
export interface UnknownChoice {
  /** `again`: the call is run again. `happened`: it took effect. `leave`: the model is told that nobody knows. */
  readonly choice: 'again' | 'happened' | 'leave';
  /** What happened, for the model. */
  readonly note?: string | undefined;
}

/**
 * What a call came to. `error`: the text for people. The model gets `shown`, or an `execution-denied` with the
 * reason `denied`, or the error text `thrown`, or else what follows from `output`.
 */
export interface RunOutcome {
  readonly output?: unknown;
  readonly error?: string;
  readonly thrown?: string;
  /** The call did not run. Null: no reason was given. */
  readonly denied?: string | null;
  readonly shown?: ResultPart['output'];
}

/** The entries that an agent writes into its session, by kind. All bodies are plain data. */
export interface Kinds {
  /** A turn begins. `number` counts the turns of the session. */
  readonly turn: { readonly number: number; readonly how: TurnKind };
  /**
   * A message of the user, which begins a turn or is sent during one. `id`: the app's name for the message. `posted`: it
   * was taken from the inbox, where it was posted at this time.
   */
  readonly user: {
    readonly message: UserModelMessage;
    readonly id?: string;
    readonly posted?: number;
  };
  /**
   * A complete answer of the model, as it is sent back: signatures and notes included. It is written
   * before any of its calls runs.
   */
  readonly model: {
    readonly step: number;
    readonly content: AnswerParts;
    /** The raw text of arguments that are no JSON object, by call id. */
    readonly inputs?: Readonly<Record<string, string>>;
    /** The number of its `request`. */
    readonly request?: number;
    readonly finish: { readonly unified: string; readonly raw: string | null };
  };
  /** The model intends a call of a real tool, or one that was refused. Written together with its answer. */
  readonly call: BodyOf<'call'>;
  /**
   * The AI SDK or the fold has changed a call of the last answer while they read it: they repaired its name, or
   * applied a schema.
   */
  readonly input: { readonly id: string; readonly name: string; readonly input: unknown };
  /**
   * The user is asked. `definition`: the tool as the user saw it, as canonical JSON. `call`: the call as it is
   * approved, with these arguments; its stamp is bound when the user is asked. `request`: what else the AI SDK
   * keeps of its request. Without `askedBy`, a hook has asked.
   */
  readonly approval: Omit<BodyOf<'approval'>, 'askedBy'> &
    Partial<AskedBy> & {
      readonly definition?: string;
      readonly call?: Pick<ToolCallPart, 'toolName' | 'providerOptions'>;
      readonly request?: Readonly<Record<string, unknown>>;
    };
  /**
   * The user's answer to one approval. `fingerprint`: the definition that a longer approval holds for. `tools`: further
   * tools that it allows.
   * Without `askedBy`, a hook has asked.
   */
  readonly answer: BodyOf<'decision'> &
    Partial<AskedBy> &
    Pick<ApprovalAnswer, 'tools'> & { readonly approvalId: string; readonly fingerprint?: string };
  /** The tool is about to run. From here on it may have had an effect. */
  readonly start: BodyOf<'tool-start'>;
  /**
   * The tool has ended. `answer`: the number of the entry with its call; absent if the AI SDK
   * itself has given the result. `isBridge`: the tool is a bridge tool of Toolfold.
   */
  readonly result: RunOutcome &
    Omit<BodyOf<'failure'>, 'error'> & { readonly answer?: number; readonly isBridge?: true };
  /** What the user decided about a call that had started and has no result. */
  readonly unknown: UnknownChoice & { readonly id: string; readonly name: string };
  /**
   * The messages of the conversation: the first `keep` of those before, then `add`. Written where messages that
   * do not follow from other entries are repaired.
   */
  readonly messages: { readonly keep: number; readonly add: readonly ModelMessage[] };
  /** The conversation was made shorter: these messages stand in its place. */
  readonly compaction: BodyOf<'compaction'> & { readonly messages: readonly ModelMessage[] };
  /** The state of the tool layer with which another process sends the same bytes. */
  readonly epoch: { readonly state: ToolState };
  /** The system text that hooks made, by the key of its epoch. */
  readonly system: { readonly key: string; readonly text: string | null };
  /** `leftOut`: while they are off, requests hold nothing of them. */
  readonly tools: { readonly on: boolean; readonly leftOut?: true };
  readonly settings: SessionSettings;
  /**
   * The answer to the last request broke off, or none of its calls ran. Its text stays, and a mark behind it.
   * `answer`: the number of the entry that this one replaces. `note`: what the request had added at its end.
   * `withdrawn`: what was shown beside the text.
   */
  readonly interrupted: {
    readonly text: string;
    readonly answer?: number;
    readonly note?: Content;
    readonly withdrawn?: BodyOf<'discarded'>;
  };
  /**
   * A request as it was sent: its event, and its segments as the first `keep` of the request before and
   * then `add`. The store has their texts by their hashes.
   */
  readonly request: {
    readonly event: Omit<SentRequest, 'segments'>;
    readonly keep: number;
    readonly add: SentRequest['segments'];
  };
  /**
   * A question outside the conversation, with its usage. `conversation`: whether the model has seen what was said. Without
   * an answer, it was cancelled or failed.
   */
  readonly quick: {
    readonly question: string;
    readonly answer?: string;
    readonly conversation: boolean;
    readonly usage: BodyOf<'usage'>;
  };
  /** An event that does not follow from other entries. */
  readonly event: { readonly event: AgentEvent };
  /** The names of the subagents of a call, by task id. Each has a session of its own. */
  readonly children: { readonly id: string; readonly names: Readonly<Record<string, string>> };
  /** A message of another process, as it was taken from the inbox. */
  readonly message: PostedMessage;
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
  /** Where the model is served, as the app says: without credentials and parameters. */
  readonly address?: string;
  /** Null for no role. */
  readonly role?: string | null;
  readonly strategy?: StrategyChoice;
  readonly routing?: RoutingMode;
  /**
   * `recall_result` is declared from the first request on, so that a compaction changes no tools. Set when a
   * conversation with tools begins, and never later.
   */
  readonly recall?: true;
}

export type EntryKind = keyof Kinds;

/** An entry to write. */
export type Write = { readonly [KIND in EntryKind]: readonly [KIND, Kinds[KIND]] }[EntryKind];

type AgentRequestEvent = Extract<AgentEvent, { type: 'request' }>;
type SentSegments = SentRequest['segments'];

/** The entry of a request, and the texts of the segments that the request `before` does not have. */
export function packed(
  event: AgentRequestEvent,
  before: SentSegments = [],
): { readonly write: Write; readonly texts: ReadonlyMap<string, string> } {
  const { type: _, segments, ...rest } = event;
  const { texts } = event;
  let keep = sameStart(segments, before);
  while (keep < segments.length && isSame(segments[keep], before[keep])) keep++;
  const add = segments.slice(keep);
  return { write: ['request', { event: rest, keep, add }], texts: texts?.(add) ?? new Map() };
}

/** The event of an entry, and its segments. */
export function unpacked(
  { event, keep, add }: Kinds['request'],
  before: SentSegments,
): AgentRequestEvent {
  return { type: 'request', ...event, segments: [...before.slice(0, keep), ...add] };
}

function isSame(
  one: SentSegments[number] | undefined,
  other: SentSegments[number] | undefined,
): boolean {
  if (one === other) return true;
  const keys = ['hash', 'kind', 'label', 'tokens'] as const;
  return keys.every((key) => one?.[key] === other?.[key]);
}
