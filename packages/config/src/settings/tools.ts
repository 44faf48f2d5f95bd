import type { Role } from '@toolfold/core/internal/registry';
import { type StrategyChoice, strategyNames } from '@toolfold/core/internal/tool';
import * as z from '../schemas.ts';
import { count, name, names, objectOf, oneOf, orFalse, recordOf, type Shape } from './values.ts';

/** A strategy's name, or `false`, which changes nothing of what is sent. */
export type StrategySetting = StrategyChoice;

const expected = `one of ${strategyNames.join(', ')}, or false`;

export const strategy: z.ZodMiniType<StrategySetting> = z.union(
  [z.enum(strategyNames as readonly Exclude<StrategySetting, false>[]), z.literal(false)],
  expected,
);

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
interface AllowedTools {
  readonly tools: Readonly<Record<string, string>>;
}

/** What runs without approval: a glob of tools, calls of one tool, or certain tools. */
export type AllowRule = string | AllowedCall | AllowedTools;

const VALUE = 'a text with * at most at its end, a number, true, false or null';

const value = z.union(
  [z.string().check(z.regex(/^(?:[^*]*|[^*]+\*)$/, VALUE)), z.number(), z.boolean(), z.null()],
  VALUE,
);

/** It is compared exactly. */
const toolName = name.check(z.regex(/^[^*?]*$/, 'the whole name of a tool, without globs'));

const allowedCall = objectOf<AllowedCall>(
  {
    tool: toolName.with(z.describe('The name of the tool as the model calls it.')),
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
const allowList: z.ZodMiniType<readonly AllowRule[]> = z.array(
  z.union(
    [name, allowedCall, allowedTools],
    'a glob, an object with tool and arguments, or one with tools',
  ),
  'a list of globs, of objects with tool and arguments, and of objects with tools',
);

/**
 * `annotations`: read-only tools of trusted servers run without approval; all others need it.
 * `always`: every call needs approval. `never`: no call does.
 */
export type ApprovalMode = 'annotations' | 'always' | 'never';

/** Which calls need the user's approval. */
export interface ApprovalSettings {
  /** `annotations` if left out. */
  readonly mode?: ApprovalMode | undefined;
  /** Globs of tools that run without approval, certain tools, and calls with certain arguments. */
  readonly allow?: readonly AllowRule[] | undefined;
}

const modes: readonly ApprovalMode[] = ['annotations', 'always', 'never'];

export const approvalShape: Shape<ApprovalSettings> = {
  mode: oneOf(modes).with(
    z.describe(
      'annotations: read-only tools of trusted servers run without approval, all others need it. always: every call needs approval. never: no call does.',
    ),
  ),
  allow: allowList.with(
    z.describe(
      'What runs without approval: globs of tools, certain tools, and calls of a tool with certain arguments.',
    ),
  ),
};

export const approvals: z.ZodMiniType<ApprovalSettings> = objectOf<ApprovalSettings>(approvalShape);

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

/** A subject for keyword routing: its words and phrases, and globs of its tools. */
export interface CategorySetting {
  /**
   * Words and phrases in any language, matched as whole words. `*.pdf` matches a file or host name
   * with that ending, `*@*` a mail address, and a slash between two stars a path.
   */
  readonly words: readonly string[];
  /** Globs as in a role. They never allow a tool that the role does not allow. */
  readonly tools: readonly string[];
  /** Phrases that contain one of the words but mean something else. A longer phrase of `words` wins. */
  readonly not?: readonly string[] | undefined;
}

/** A category with its name. */
export interface Category extends CategorySetting {
  readonly name: string;
}

/** Categories of a configuration, by name. `false` removes a built-in category. */
export type CategorySettings = Readonly<Record<string, CategorySetting | false>>;

const shape: Shape<CategorySetting> = {
  words: names.with(z.describe('Words and phrases of the subject, matched as whole words.')),
  tools: names.with(z.describe('Globs of its tools, as in a role.')),
  not: names.with(z.describe('Phrases that contain one of the words but mean something else.')),
};

const category = objectOf<CategorySetting>(shape, ['words', 'tools']);

export const categories: z.ZodMiniType<CategorySettings> = recordOf(
  orFalse(category, 'an object with words and tools, or false for none'),
);

export const categoryList: z.ZodMiniType<readonly Category[]> = z.array(
  objectOf<Category>({ name, ...shape }, ['name', 'words', 'tools']),
  'a list of categories, or an object with one for each name',
);
