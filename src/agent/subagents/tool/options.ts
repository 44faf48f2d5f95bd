import type { LanguageModel } from 'ai';
import type { SubagentSettings } from '../../../config/index.ts';
import type { AgentHooks } from '../../settings/index.ts';
import { type Engine, NARROW, type SubagentLimits, WIDE, type Work } from '../engine/index.ts';

/** What children are given, and what they may cost. All of it is optional. */
export interface SubagentOptions extends SubagentSettings {
  /**
   * Hooks for the calls of children. An agent with `beforeToolCall` or `afterToolCall` has to say, as
   * these may deny or take out what the children would otherwise be free to do or see: the same
   * hooks, others, or `{}`.
   */
  readonly hooks?: AgentHooks | undefined;
  /** The model of a child by its role; the parent's where left out or answered with nothing. */
  readonly model?:
    | ((role: string | undefined) => LanguageModel | undefined | Promise<LanguageModel | undefined>)
    | undefined;
  /** Where children work: in this process if left out. Children of children always work there. */
  readonly engine?: (Engine | ((work: Work, limits: SubagentLimits) => Engine)) | undefined;
}

/** The limits that hold. */
export function limitsOf({ wide }: Pick<SubagentOptions, 'wide'>): SubagentLimits {
  return wide === true ? WIDE : NARROW;
}
