import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, trackedFiles } from './tree.ts';

/** A change at one place of the packages that breaks a promise. */
export interface Mutation {
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** Test files; in at least one, a test that cites the promise must fail. */
  readonly tests: readonly string[];
}

/** One promise of the project. Its number never changes; tests cite it in their titles as `promise 7: …`. */
export interface ProductPromise {
  readonly number: number;
  readonly text: string;
  /** `pending`: the issue that must be solved first. `unproven`: the part that has no tests yet. */
  readonly status: 'held' | { readonly pending: string } | { readonly unproven: string };
  readonly tests: readonly string[];
  readonly mutations: readonly Mutation[];
}

/** The sources that are not tests, each with its text. */
const sources: ReadonlyMap<string, string> = new Map(
  trackedFiles('packages/', '.ts')
    .filter((file) => !/\.test(-support)?\.ts$/.test(file))
    .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
);
const testFiles = [...trackedFiles('packages/', '.test.ts'), ...trackedFiles('test/', '.test.ts')];

/**
 * The files of tests by their names, with as many folders before a name as make it unique. Throws for a
 * name that no file or more than one has.
 */
export function tests(...names: readonly string[]): string[] {
  return names.map((name) => {
    const [file, another] = testFiles.filter((one) => one.endsWith(`/${name}.test.ts`));
    if (file === undefined || another !== undefined)
      throw new Error(`${file === undefined ? 'No test is' : 'Several tests are'} named ${name}.`);
    return file;
  });
}

/** A mutation of the one place in all sources that reads `find`. Throws if there is none, or more than one. */
export function mutate(find: string, replace: string, ...names: readonly string[]): Mutation {
  const [file, another] = [...sources].flatMap(([one, text]) => (text.includes(find) ? [one] : []));
  if (file === undefined || another !== undefined)
    throw new Error(
      `${file === undefined ? 'No source has' : `${file} and ${another} have`}: ${find}`,
    );
  return { file, find, replace, tests: tests(...names) };
}
