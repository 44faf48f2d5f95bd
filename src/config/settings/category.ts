import { z } from 'zod';
import { objectOf, orFalse, recordOf, type Shape } from './shapes.ts';
import { name, names } from './values.ts';

/** A subject that keyword routing knows: phrases that speak of it, and globs of its tools. */
export interface CategorySetting {
  /**
   * Words and phrases of any language, matched whole. `*.pdf` is a file or host name that ends so,
   * `*@*` a mail address, and a star, a slash and a star together a path.
   */
  readonly words: readonly string[];
  /** Globs as in a role. A hint, never a right: nothing here widens a role. */
  readonly tools: readonly string[];
  /** Phrases that hold such a word and mean something else; a longer phrase of `words` wins. */
  readonly not?: readonly string[] | undefined;
}

/** A category with its name, as the agent has it. */
export interface Category extends CategorySetting {
  readonly name: string;
}

/** Categories as a configuration gives them, by name; `false` takes a built-in one away. */
export type CategorySettings = Readonly<Record<string, CategorySetting | false>>;

const shape: Shape<CategorySetting> = {
  words: names.describe('Words and phrases that speak of it, matched whole.'),
  tools: names.describe('Globs of its tools, as in a role.'),
  not: names.describe('Phrases that hold such a word and mean something else.'),
};

const category = objectOf<CategorySetting>(shape, ['words', 'tools']);

export const categories: z.ZodType<CategorySettings> = recordOf(
  orFalse(category, 'an object with words and tools, or false for none'),
);

export const categoryList: z.ZodType<readonly Category[]> = z.array(
  objectOf<Category>({ name, ...shape }, ['name', 'words', 'tools']),
  'a list of categories, or an object with one for each name',
);
