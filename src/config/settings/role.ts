import type { z } from 'zod';
import type { Role } from '../../tools/access/index.ts';
import { objectOf, orFalse } from './shapes.ts';
import { count, name, names } from './values.ts';

/** What a role may use, the model that plays it, and how many rounds of tools a turn may take. */
export interface RoleSettings extends Role {
  /** `provider/name`; without it the agent's own model. */
  readonly model?: string | undefined;
  /** Without it the global limit. */
  readonly maxRounds?: number | undefined;
}

export const role: z.ZodType<RoleSettings> = objectOf<RoleSettings>({
  tools: orFalse(names, 'a list of strings, or false for none').describe(
    'Globs of the tools it may use: github__create_*, mcp:github or mcp:github/create_*. All if left out; false or [] for none.',
  ),
  groups: names.describe('Ids of the groups it may use, such as mcp:github. All if left out.'),
  model: name.describe("provider/name. The agent's own model if left out."),
  maxRounds: count.describe('Rounds of tools in a turn. The global limit if left out.'),
});
