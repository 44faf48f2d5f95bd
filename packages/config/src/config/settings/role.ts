import type { Role } from '@toolfold/core/internal/tools/registry';
import * as z from '../schemas/index.ts';
import { objectOf, orFalse } from './shapes.ts';
import { count, name, names } from './values.ts';

/** The tools that a role may use, its model, and its limit of tool rounds in a turn. */
export interface RoleSettings extends Role {
  /** `provider/name`. The agent's own model if left out. */
  readonly model?: string | undefined;
  /** The global limit if left out. */
  readonly maxRounds?: number | undefined;
}

export const role: z.ZodMiniType<RoleSettings> = objectOf<RoleSettings>({
  tools: orFalse(names, 'a list of strings, or false for none').with(
    z.describe(
      'Globs of the tools it may use: github__create_*, mcp:github or mcp:github/create_*. All if left out; false or [] for none.',
    ),
  ),
  groups: names.with(
    z.describe('Ids of the groups it may use, such as mcp:github. All if left out.'),
  ),
  model: name.with(z.describe("provider/name. The agent's own model if left out.")),
  maxRounds: count.with(
    z.describe('The maximum number of tool rounds in a turn. The global limit if left out.'),
  ),
});
