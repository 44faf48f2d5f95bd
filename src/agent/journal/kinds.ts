import type { AssistantModelMessage, ModelMessage, UserModelMessage } from 'ai';
import type { ToolState } from '../../tools/epoch/index.ts';
import type { AgentEvent, ApprovalAnswer } from '../events/index.ts';

type Content = Exclude<AssistantModelMessage['content'], string>;
type Of<TYPE extends AgentEvent['type']> = Omit<Extract<AgentEvent, { type: TYPE }>, 'type'>;

/** The entries that an agent writes into its session, by kind. All bodies are plain data. */
export interface Kinds {
  /** A turn begins. `number` counts the turns of the session. */
  readonly turn: { readonly number: number; readonly how: 'send' | 'answer' | 'resume' };
  readonly user: { readonly message: UserModelMessage };
  /**
   * A complete answer of the model, as it is sent back: signatures and notes included. It is written
   * before any of its calls runs.
   */
  readonly model: {
    readonly step: number;
    readonly content: Content;
    readonly finish: { readonly unified: string; readonly raw?: string };
  };
  /** The model intends a call of a real tool. */
  readonly call: Of<'call'>;
  /** The user is asked. `binding` identifies the definition and the arguments. */
  readonly approval: Of<'approval'> & { readonly binding?: string };
  /** The user's answer to one approval. */
  readonly answer: ApprovalAnswer & {
    readonly approvalId: string;
    readonly id: string;
    readonly name: string;
  };
  /** The tool is about to run. From here on it may have had an effect. */
  readonly start: { readonly id: string; readonly name: string };
  /** The tool has ended. `output`: what the tool returned; `error`: the text of what it threw. */
  readonly result: {
    readonly id: string;
    readonly name: string;
    readonly output?: unknown;
    readonly error?: string;
  };
  /** What the user decided about a call that had started and has no result. */
  readonly unknown: {
    readonly id: string;
    readonly name: string;
    readonly choice: 'again' | 'happened' | 'leave';
    readonly note?: string;
  };
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
  readonly settings: {
    readonly model?: string;
    readonly role?: string | null;
    readonly strategy?: string;
    readonly routing?: string;
  };
  /** An event that does not follow from other entries. */
  readonly event: { readonly event: AgentEvent };
  readonly label: { readonly text: string };
}

export type Kind = keyof Kinds;
