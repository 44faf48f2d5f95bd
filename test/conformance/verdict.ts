import type { Check, ScenarioResult } from './suite.ts';

/** The browser's answer names another issuer than the metadata, or none. */
const FOREIGN_ANSWER = /came from another authorization server/;

/** How the client ends in scenarios whose server is at fault, or has tools that cannot be called. */
const ENDS: ReadonlyMap<string, RegExp> = new Map([
  ['auth/iss-normalized', FOREIGN_ANSWER],
  ['auth/iss-supported-missing', FOREIGN_ANSWER],
  ['auth/iss-unexpected', FOREIGN_ANSWER],
  ['auth/iss-wrong-issuer', FOREIGN_ANSWER],
  ['auth/metadata-issuer-mismatch', /: Issuer mismatch in authorization server metadata/],
  ['auth/resource-mismatch', /: Protected resource .+ does not match expected/],
  ['auth/scope-retry-limit', /the server refuses the new token/],
  ['json-schema-ref-no-deref', /^Method not found$/],
]);

/** What a result means. */
export interface Verdict {
  readonly isPassed: boolean;
  /** Number of checks that succeeded, and of those that could. */
  readonly passed: number;
  readonly of: number;
  /** What is wrong, one line for each fault. */
  readonly faults: readonly string[];
}

/**
 * Judges a scenario. Stricter than the suite: a warning is a fault, and so is a client that ends in
 * another way than the scenario asks for.
 */
export function judge(result: ScenarioResult): Verdict {
  const having = (...statuses: string[]): Check[] =>
    result.checks.filter(({ status }) => statuses.includes(status));
  const faults = having('FAILURE', 'WARNING').map(
    ({ id, status, errorMessage, description }) =>
      `${status.toLowerCase()} ${id}: ${errorMessage ?? description}`,
  );
  const expected = ENDS.get(result.scenario) ?? /^completed$/;
  if (!expected.test(result.end)) faults.push(`the client ended with: ${result.end || 'nothing'}`);
  const passed = having('SUCCESS').length;
  return {
    isPassed: passed > 0 && faults.length === 0,
    passed,
    of: having('SUCCESS', 'FAILURE', 'WARNING').length,
    faults,
  };
}
