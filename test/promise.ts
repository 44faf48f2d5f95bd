/** A change of one place in `src/` that is known to break a promise. */
export interface Mutation {
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** Test files of which a test that cites the promise must fail. */
  readonly tests: readonly string[];
}

/** One promise of the project, numbered for good; tests cite it in their titles as `promise 7: …`. */
export interface ProductPromise {
  readonly number: number;
  readonly text: string;
  /** `pending`: the issue it waits for. `unproven`: the part whose tests are still to come. */
  readonly status: 'held' | { readonly pending: string } | { readonly unproven: string };
  readonly tests: readonly string[];
  readonly mutations: readonly Mutation[];
}

export const core = (...names: readonly string[]): string[] =>
  names.map((name) => `src/tools/${name}.test.ts`);

export const mutate = (
  file: string,
  find: string,
  replace: string,
  ...tests: string[]
): Mutation => ({
  file: `src/tools/${file}.ts`,
  find,
  replace,
  tests: core(...tests),
});

export const sdk = (...names: readonly string[]): string[] =>
  names.map((name) => `src/ai-sdk/${name}.test.ts`);

export const mutateSdk = (
  file: string,
  find: string,
  replace: string,
  ...tests: string[]
): Mutation => ({
  file: `src/ai-sdk/${file}.ts`,
  find,
  replace,
  tests: sdk(...tests),
});

export const team = (...names: readonly string[]): string[] =>
  names.map((name) => `src/agent/subagents/${name}.test.ts`);

export const mutateTeam = (
  file: string,
  find: string,
  replace: string,
  ...tests: string[]
): Mutation => ({
  file: `src/agent/subagents/${file}.ts`,
  find,
  replace,
  tests: team(...tests),
});
