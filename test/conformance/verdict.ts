import type { Check, ScenarioResult } from './suite.ts';

/**
 * Scenarios in which the server or its authorization server is at fault. The client must stop there, for
 * this reason. In all others it must complete.
 */
const REFUSALS: ReadonlyMap<string, RegExp> = new Map([]);

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
  const expected = REFUSALS.get(result.scenario) ?? /^completed$/;
  if (!expected.test(result.end)) faults.push(`the client ended with: ${result.end || 'nothing'}`);
  const passed = having('SUCCESS').length;
  return {
    isPassed: passed > 0 && faults.length === 0,
    passed,
    of: having('SUCCESS', 'FAILURE', 'WARNING').length,
    faults,
  };
}
