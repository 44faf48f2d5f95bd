import type { LanguageModel } from 'ai';
import type { AgentHooks } from '../../settings/index.ts';
import {
  type Engine,
  NARROW,
  type SubagentBudget,
  type SubagentLimits,
  WIDE,
  type Work,
} from '../engine/index.ts';

/** What children are given, and what they may cost. All of it is optional. */
export interface SubagentOptions {
  /** Roles that the model may give a child; each is a ceiling under the parent's own. None if left out. */
  readonly roles?: readonly string[] | undefined;
  /** Up to 50 tasks in a call and 12 children at once, instead of 10 and 8. */
  readonly wide?: boolean | undefined;
  /** Children at once where the model does not say: 4. */
  readonly concurrency?: number | undefined;
  /** Seconds that a child may work where the model does not say: 300, of at most 900. */
  readonly timeout?: number | undefined;
  /**
   * Of each role one child begins ahead, and the others when its model has begun to answer: what all
   * of them send is then read from the provider's cache, and paid for in full once. For hosted models
   * with long prefixes. The others wait ten seconds at most.
   */
  readonly warmCache?: boolean | undefined;
  /** Levels of children: 1, so that children have none of their own, up to 4. */
  readonly depth?: number | undefined;
  /** For all children while the agent lives. Those at work when it is spent go on; no others begin. */
  readonly budget?: SubagentBudget | undefined;
  /** Rounds of tools that a child has, where neither its role nor its model says; the parent's if left out. */
  readonly maxRounds?: number | undefined;
  /** The children's system text, in place of the built-in one; nothing of the parent's is in it. */
  readonly instructions?: string | undefined;
  /**
   * Hooks for the calls of children. An agent with `beforeToolCall` or `afterToolCall` has to say, as
   * these may deny or take out what the children would otherwise be free to do or see: the same
   * hooks, others, or `{}`.
   */
  readonly hooks?: AgentHooks | undefined;
  /** Globs of tools that children do not have, whatever their role; `WITHHELD` if left out. */
  readonly withhold?: readonly string[] | undefined;
  /** The model of a child by its role; the parent's where left out or answered with nothing. */
  readonly model?:
    | ((role: string | undefined) => LanguageModel | undefined | Promise<LanguageModel | undefined>)
    | undefined;
  /** Bytes of JSON that all results of a call share: 60,000. */
  readonly resultBytes?: number | undefined;
  /** Where children work: in this process if left out. Children of children always work there. */
  readonly engine?: (Engine | ((work: Work, limits: SubagentLimits) => Engine)) | undefined;
}

/** The limits that hold. */
export function limitsOf({ wide }: Pick<SubagentOptions, 'wide'>): SubagentLimits {
  return wide === true ? WIDE : NARROW;
}
