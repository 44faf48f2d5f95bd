import * as z from '../schemas/index.ts';
import { objectOf } from './shapes.ts';
import { name } from './values.ts';

/** Calls of one tool that run without approval: those with these arguments and no others. */
export interface AllowedCall {
  /** The name of the tool as the model calls it. No glob. */
  readonly tool: string;
  /** Each is equal to its value here. A text with `*` at its end stands for texts that begin like it. */
  readonly arguments: Readonly<Record<string, string | number | boolean | null>>;
  /** The definition of the tool. If it has changed, nothing is allowed. Any definition if left out. */
  readonly definition?: string | undefined;
}

const VALUE = 'a text with * at most at its end, a number, true, false or null';

const value = z.union(
  [z.string().check(z.regex(/^(?:[^*]*|[^*]+\*)$/, VALUE)), z.number(), z.boolean(), z.null()],
  VALUE,
);

const allowedCall = objectOf<AllowedCall>(
  {
    tool: name.with(z.describe('The name of the tool as the model calls it.')),
    arguments: z
      .record(z.string(), value, 'an object')
      .with(
        z.describe(
          'The arguments that a call may have, with * at the end of a text for any end. Others are not allowed.',
        ),
      ),
    definition: name.with(z.describe('The definition of the tool for which this holds.')),
  },
  ['tool', 'arguments'],
);

/** Globs of tools, and calls with certain arguments. */
export const allowList: z.ZodMiniType<readonly (string | AllowedCall)[]> = z.array(
  z.union([name, allowedCall], 'a glob, or an object with tool and arguments'),
  'a list of globs and of objects with tool and arguments',
);
