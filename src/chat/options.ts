import type { AgentFlags } from '../app/agents/flags/index.ts';

/** The flags of `toolfold chat`. */
export interface ChatOptions extends AgentFlags {
  /** Go on with the last session of this folder. */
  readonly continue?: true;
  /** The id of a session or its beginning; true to choose it from a list. */
  readonly resume?: string | true;
  /** On the main screen instead of the alternate one. */
  readonly inline?: true;
  readonly demo?: true;
}

/** What the user typed. */
export interface ChatRequest {
  readonly message: string | undefined;
  readonly options: ChatOptions;
}
