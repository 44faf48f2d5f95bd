import { ownProperty } from '@toolfold/core/internal/values';
import * as z from '../schemas.ts';
import {
  count,
  flag,
  moneyAboveZero,
  name,
  names,
  objectOf,
  type Shape,
  wholeNumber,
} from './values.ts';

/** The limits of a turn where no setting says otherwise. They end loops: no task of a person comes near. */
export const TURN_LIMITS: {
  /** Rounds of tools. */
  readonly rounds: number;
  /** Requests beyond one for each round: they load, search, and answer. */
  readonly moreRequests: number;
  /** Tokens of prompts and answers, from a cache or not. */
  readonly tokens: number;
} = { rounds: 100, moreRequests: 50, tokens: 20_000_000 };

/** The limits of what the model may request. */
export interface SubagentLimits {
  /** Tasks in one call. */
  readonly tasks: number;
  /** Children that run at the same time, over all calls of one agent. */
  readonly concurrency: number;
}

export const NARROW: SubagentLimits = { tasks: 10, concurrency: 8 };
export const WIDE: SubagentLimits = { tasks: 50, concurrency: 12 };

/** The maximum time of one task, in seconds. */
export const MAX_TIMEOUT = 900;

/** The maximum number of levels of children, if the app allows children to have children. */
export const MAX_DEPTH = 4;

/** The smallest and largest limit for all results of a call together, in bytes of JSON. */
const MIN_RESULT_BYTES = 10_000;
const MAX_RESULT_BYTES = 10_000_000;

/** The budget of all children, including their own children. No task starts after either limit is reached. */
export interface SubagentBudget {
  /** Input and output tokens, as reported by the provider, or estimated if it reports none. */
  readonly tokens?: number | undefined;
  /** Money, in the currency of the prices. */
  readonly cost?: number | undefined;
}

/** The options of children that are plain data. All are optional. */
export interface SubagentSettings {
  /** Roles that the model may give a child. Each also stays within the parent's role. None if left out. */
  readonly roles?: readonly string[] | undefined;
  /** Allows 50 tasks in a call and 12 children at once, instead of 10 and 8. */
  readonly wide?: boolean | undefined;
  /** Children at once, if the call gives no number. Default: 4. */
  readonly concurrency?: number | undefined;
  /** Time limit of a child in seconds, if the call gives none. Default: 300, at most 900. */
  readonly timeout?: number | undefined;
  /**
   * One child of each role starts first. The others start when its model begins to answer, after ten
   * seconds at most: they read the shared prefix from the provider's cache, so it is paid in full
   * only once. For hosted models with long prefixes.
   */
  readonly warmCache?: boolean | undefined;
  /** Levels of children, 1 to 4. Default: 1, so children have no children. */
  readonly depth?: number | undefined;
  /** For all children of the agent together. When it is spent, running children continue and no others start. */
  readonly budget?: SubagentBudget | undefined;
  /** Tool rounds of a child, unless its role or model sets a limit. The parent's limit if left out. */
  readonly maxRounds?: number | undefined;
  /** Replaces the built-in system text of children. It contains nothing of the parent's system text. */
  readonly instructions?: string | undefined;
  /** Globs of tools that children never have, whatever their role. `WITHHELD` if left out. */
  readonly withhold?: readonly string[] | undefined;
  /** The limit for all results of a call together, in bytes of JSON. Default: 60,000. */
  readonly resultBytes?: number | undefined;
}

const CONCURRENCY = `a whole number from 1 to ${NARROW.concurrency}, or from 1 to ${WIDE.concurrency} with \`wide\``;
const ROLES = 'a list of names of roles, at least one and each once';

const roles = z
  .array(name, ROLES)
  .check(
    z.minLength(1, ROLES),
    z.refine((list) => new Set(list).size === list.length, ROLES),
  )
  .with(z.meta({ uniqueItems: true }));

const budget = objectOf<SubagentBudget>({
  tokens: count.with(z.describe('Input and output tokens.')),
  cost: moneyAboveZero.with(z.describe('Money, in the currency of the prices.')),
})
  .check(
    z.refine((limits: SubagentBudget) => limits.tokens !== undefined || limits.cost !== undefined, {
      error: '`tokens` or `cost`, or both',
    }),
  )
  .with(z.meta({ minProperties: 1 }));

export const subagentShape: Shape<SubagentSettings> = {
  roles: roles.with(z.describe('Roles that the model may give a subagent. None if left out.')),
  wide: flag.with(z.describe('Up to 50 tasks in a call and 12 at once, instead of 10 and 8.')),
  concurrency: wholeNumber(1, WIDE.concurrency, CONCURRENCY).with(
    z.describe(
      'Subagents at once, if the call gives no number. Default: 4, at most 8, with "wide" 12.',
    ),
  ),
  timeout: wholeNumber(1, MAX_TIMEOUT).with(
    z.describe('Time limit of a subagent in seconds, if the call gives none. Default: 300.'),
  ),
  warmCache: flag.with(
    z.describe(
      'One subagent of each role starts first, so that the others read the cache it has written.',
    ),
  ),
  depth: wholeNumber(1, MAX_DEPTH).with(z.describe('Levels of subagents. Default: 1.')),
  budget: budget.with(z.describe('The budget of all subagents together.')),
  maxRounds: count.with(z.describe('The maximum number of tool rounds of a subagent.')),
  instructions: name.with(z.describe('Replaces the built-in system text of subagents.')),
  withhold: names.with(
    z.describe('Globs of tools that subagents never have, whatever their role.'),
  ),
  resultBytes: wholeNumber(MIN_RESULT_BYTES, MAX_RESULT_BYTES).with(
    z.describe('The limit for all results of a call together, in bytes of JSON. Default: 60,000.'),
  ),
};

/** Adds the rule that joins two settings: more than eight at once needs `wide`. */
export function withConcurrency<T>(schema: z.ZodMiniType<T>): z.ZodMiniType<T> {
  return schema
    .check(
      z.superRefine((value, context) => {
        const concurrency = ownProperty(value, 'concurrency');
        if (ownProperty(value, 'wide') === true || typeof concurrency !== 'number') return;
        if (concurrency > NARROW.concurrency)
          context.addIssue({ code: 'custom', message: CONCURRENCY, path: ['concurrency'] });
      }),
    )
    .with(
      z.meta({
        if: { properties: { wide: { const: true } }, required: ['wide'] },
        else: { properties: { concurrency: { maximum: NARROW.concurrency } } },
      }),
    );
}

/** `true`: subagents with default settings. */
export const subagents: z.ZodMiniType<SubagentSettings | boolean> = z.union(
  [withConcurrency(objectOf<SubagentSettings>(subagentShape)), z.boolean()],
  'an object, true or false',
);
