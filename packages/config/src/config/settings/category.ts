import * as z from '../schemas/index.ts';
import { objectOf, orFalse, recordOf, type Shape } from './shapes.ts';
import { name, names } from './values.ts';

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
