import type { RoutingMode, StrategySetting } from '../../mcp/index.ts';
/** The value of `--session` that begins a session. */
export const NEW = 'new';

/** The flags of `toolfold run`. */
export interface RunOptions {
  readonly role?: string;
  readonly strategy?: StrategySetting;
  readonly routing?: RoutingMode;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly config?: string;
  readonly allow?: readonly string[];
  /** Undefined without a flag: the configuration decides. */
  readonly subagents?: boolean;
  /** In seconds. */
  readonly timeout?: number;
  readonly maxRounds?: number;
  /** The id of a session or its beginning, or `new`. */
  readonly session?: string;
  readonly json?: true;
}
