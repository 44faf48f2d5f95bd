/**
 * Runs the client scenarios of the MCP conformance suite through the pool, for each revision, and prints
 * a table. Run: `npm run conformance`, or `npm run conformance -- --scenario NAME`. Exits 1 if a scored
 * scenario fails.
 */
import { parseArgs } from 'node:util';
import { REVISIONS, type Revision, runSuite, type ScenarioResult, scenariosOf } from './suite.ts';
import { judge, type Verdict } from './verdict.ts';

const { values } = parseArgs({ options: { scenario: { type: 'string' } } });

interface RevisionResult {
  readonly revision: Revision;
  readonly scored: readonly string[];
  readonly verdicts: ReadonlyMap<string, Verdict>;
}

async function runRevision(revision: Revision): Promise<RevisionResult> {
  const { scored, others } = await scenariosOf(revision);
  const { scenario } = values;
  if (scenario === undefined)
    return { revision, scored, verdicts: verdictsOf(await runSuite(revision)) };
  const isKnown = [...scored, ...others].includes(scenario);
  return {
    revision,
    scored: scored.filter((name) => name === scenario),
    verdicts: verdictsOf(isKnown ? await runSuite(revision, scenario) : []),
  };
}

function verdictsOf(results: readonly ScenarioResult[]): Map<string, Verdict> {
  return new Map(results.map((result) => [result.scenario, judge(result)]));
}

/** One row for each scenario, one column for each revision. */
function table(all: readonly RevisionResult[]): string {
  const names = [...new Set(all.flatMap(({ verdicts }) => [...verdicts.keys()]))];
  if (names.length === 0) throw new Error(`no revision has the scenario ${values.scenario}`);
  const width = Math.max(...names.map((name) => name.length));
  const cell = (name: string, { verdicts, scored }: RevisionResult): string => {
    const verdict = verdicts.get(name);
    if (verdict === undefined) return '-';
    const mark = verdict.isPassed ? 'passed' : 'FAILED';
    const note = scored.includes(name) ? '' : ', not scored';
    return `${mark} ${verdict.passed}/${verdict.of}${note}`;
  };
  const row = (first: string, cells: readonly string[]): string =>
    [first.padEnd(width), ...cells.map((text) => text.padEnd(24))].join('  ').trimEnd();
  return [
    row('scenario', REVISIONS),
    ...names.map((name) =>
      row(
        name,
        all.map((result) => cell(name, result)),
      ),
    ),
  ].join('\n');
}

function faultsOf({ revision, verdicts }: RevisionResult): string[] {
  return [...verdicts].flatMap(([name, { isPassed, faults }]) =>
    isPassed ? [] : [`\n${name} at ${revision}`, ...faults.map((fault) => `  ${fault}`)],
  );
}

const all: RevisionResult[] = [];
for (const revision of REVISIONS) all.push(await runRevision(revision));
console.log([table(all), ...all.flatMap(faultsOf), ''].join('\n'));
for (const { revision, scored, verdicts } of all) {
  const passed = scored.filter((name) => verdicts.get(name)?.isPassed === true);
  console.log(`${revision}: ${passed.length} of ${scored.length} scored scenarios passed`);
  if (passed.length < scored.length) process.exitCode = 1;
}
