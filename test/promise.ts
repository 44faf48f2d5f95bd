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

type Tests = (...names: readonly string[]) => string[];
type Mutate = (file: string, find: string, replace: string, ...tests: string[]) => Mutation;

const testsIn =
  (room: string): Tests =>
  (...names) =>
    names.map((name) => `packages/${room}/${name}.test.ts`);

const mutateIn =
  (room: string): Mutate =>
  (file, find, replace, ...tests) => ({
    file: `packages/${room}/${file}.ts`,
    find,
    replace,
    tests: testsIn(room)(...tests),
  });

export const core: Tests = testsIn('core/src/tools');
export const mutate: Mutate = mutateIn('core/src/tools');

export const sdk: Tests = testsIn('ai-sdk/src');
export const mutateSdk: Mutate = mutateIn('ai-sdk/src');

export const host: Tests = testsIn('core/src/host');
export const mutateHost: Mutate = mutateIn('core/src/host');

export const mcp: Tests = testsIn('mcp/src/mcp');
export const mutateMcp: Mutate = mutateIn('mcp/src/mcp');

export const team: Tests = testsIn('agent/src/agent');
export const mutateTeam: Mutate = mutateIn('agent/src/agent');

export const app: Tests = testsIn('toolfold/src/app');
export const mutateApp: Mutate = mutateIn('toolfold/src/app');

export const cli: Tests = testsIn('toolfold/src/cli');
export const mutateCli: Mutate = mutateIn('toolfold/src/cli');

export const gateway: Tests = testsIn('mcp/src/gateway');
export const mutateGateway: Mutate = mutateIn('mcp/src/gateway');
