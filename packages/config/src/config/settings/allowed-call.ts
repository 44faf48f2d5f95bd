import * as z from '../schemas/index.ts';
import { objectOf, recordOf } from './shapes.ts';
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

/** Tools that run without approval, each by its name and the fingerprint of its definition. A changed tool asks. */
export interface AllowedTools {
  readonly tools: Readonly<Record<string, string>>;
}

/** What runs without approval: a glob of tools, calls of one tool, or certain tools. */
export type Allowed = string | AllowedCall | AllowedTools;

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

const allowedTools = objectOf<AllowedTools>(
  {
    tools: recordOf(name).with(
      z.describe('Tools by their names, each with the fingerprint of its definition.'),
    ),
  },
  ['tools'],
);

/** Globs of tools, calls with certain arguments, and certain tools. */
export const allowList: z.ZodMiniType<readonly Allowed[]> = z.array(
  z.union(
    [name, allowedCall, allowedTools],
    'a glob, an object with tool and arguments, or one with tools',
  ),
  'a list of globs, of objects with tool and arguments, and of objects with tools',
);
