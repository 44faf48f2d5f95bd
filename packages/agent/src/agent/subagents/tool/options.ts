import {
  NARROW,
  type SubagentLimits,
  type SubagentSettings,
  WIDE,
} from '@toolfold/config/internal/config';
import type { LanguageModel } from 'ai';
import type { AgentHooks } from '../../events/index.ts';
import type { Engine, Work } from '../engine/index.ts';

/** The options of subagents. All are optional. */
export interface SubagentOptions extends SubagentSettings {
  /**
   * Hooks for the calls of children. Required if the agent has `beforeToolCall` or `afterToolCall`,
   * because children could otherwise bypass them: the same hooks, other hooks, or `{}`.
   */
  readonly hooks?: AgentHooks | undefined;
  /** Returns the model of a child by its role. The parent's model if left out or if it returns undefined. */
  readonly model?:
    | ((role: string | undefined) => LanguageModel | undefined | Promise<LanguageModel | undefined>)
    | undefined;
  /** Where children run. In this process if left out. Children of children always run in this process. */
  readonly engine?: (Engine | ((work: Work, limits: SubagentLimits) => Engine)) | undefined;
}

/** The limits in effect. */
export function limitsOf({ wide }: Pick<SubagentOptions, 'wide'>): SubagentLimits {
  return wide === true ? WIDE : NARROW;
}
