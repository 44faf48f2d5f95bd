import type { AgentFlags } from '../terminal/index.ts';

/** The value of `--session` that begins a session. */
export const NEW = 'new';

/** The flags of `toolfold run`. */
export interface RunOptions extends AgentFlags {
  /** In seconds. */
  readonly timeout?: number;
  /** The id of a session or its beginning, or `new`. */
  readonly session?: string;
  readonly json?: true;
}
