import { z } from 'zod';
import { own } from '../../tools/values/index.ts';
import { objectOf, type Shape } from './shapes.ts';
import {
  MAX_DEPTH,
  MAX_RESULT_BYTES,
  MAX_TIMEOUT,
  MIN_RESULT_BYTES,
  NARROW,
  WIDE,
} from './subagent-limits.ts';
import { count, flag, moneyAboveZero, name, names, wholeNumber } from './values.ts';

/** What children may spend, those of children too; nothing begins once either is reached. */
export interface SubagentBudget {
  /** Input and output: as the provider counts them, or by our own count where it does not. */
  readonly tokens?: number | undefined;
  /** Money, in the unit that prices are given in. */
  readonly cost?: number | undefined;
}

/** What children are given, and what they may cost: what of it is plain data. All of it is optional. */
export interface SubagentSettings {
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
  /** Globs of tools that children do not have, whatever their role; `WITHHELD` if left out. */
  readonly withhold?: readonly string[] | undefined;
  /** Bytes of JSON that all results of a call share: 60,000. */
  readonly resultBytes?: number | undefined;
}

const CONCURRENCY = `a whole number from 1 to ${NARROW.concurrency}, or from 1 to ${WIDE.concurrency} with \`wide\``;
const ROLES = 'a list of names of roles, at least one and each once';

const roles = z
  .array(name, ROLES)
  .min(1, ROLES)
  .refine((list) => new Set(list).size === list.length, ROLES)
  .meta({ uniqueItems: true });

const budget = objectOf<SubagentBudget>({
  tokens: count.describe('Tokens read and written.'),
  cost: moneyAboveZero.describe('Money, in the unit that prices are given in.'),
})
  .refine((limits) => limits.tokens !== undefined || limits.cost !== undefined, {
    error: '`tokens` or `cost`, or both',
  })
  .meta({ minProperties: 1 });

export const subagentShape: Shape<SubagentSettings> = {
  roles: roles.describe('Roles that the model may give a subagent. None if left out.'),
  wide: flag.describe('Up to 50 tasks in a call and 12 at once, instead of 10 and 8.'),
  concurrency: wholeNumber(1, WIDE.concurrency, CONCURRENCY).describe(
    'Subagents at once where the model does not say: 4; at most 8, with "wide" 12.',
  ),
  timeout: wholeNumber(1, MAX_TIMEOUT).describe(
    'Seconds that a subagent may work where the model does not say: 300.',
  ),
  warmCache: flag.describe(
    'Of each role one subagent begins ahead, so that the others read the cache it has written.',
  ),
  depth: wholeNumber(1, MAX_DEPTH).describe('Levels of subagents: 1.'),
  budget: budget.describe('What all subagents may spend together.'),
  maxRounds: count.describe('Rounds of tools that a subagent has.'),
  instructions: name.describe("The subagents' system text, in place of the built-in one."),
  withhold: names.describe('Globs of tools that subagents do not have, whatever their role.'),
  resultBytes: wholeNumber(MIN_RESULT_BYTES, MAX_RESULT_BYTES).describe(
    'Bytes of JSON that all results of a call share: 60,000.',
  ),
};

/** Adds the one rule that joins two settings: more than eight at once only with `wide`. */
export function withConcurrency<T>(schema: z.ZodType<T>): z.ZodType<T> {
  return schema
    .superRefine((value, context) => {
      const concurrency = own(value, 'concurrency');
      if (own(value, 'wide') === true || typeof concurrency !== 'number') return;
      if (concurrency > NARROW.concurrency)
        context.addIssue({ code: 'custom', message: CONCURRENCY, path: ['concurrency'] });
    })
    .meta({
      if: { properties: { wide: { const: true } }, required: ['wide'] },
      else: { properties: { concurrency: { maximum: NARROW.concurrency } } },
    });
}

/** `true`: on as they are without settings. */
export const subagents: z.ZodType<SubagentSettings | boolean> = z.union(
  [withConcurrency(objectOf<SubagentSettings>(subagentShape)), z.boolean()],
  'an object, true or false',
);
