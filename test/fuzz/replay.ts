/**
 * Plays the session of one seed, or the sessions of a range of seeds:
 *
 *     npm run fuzz -- 17                   one session; if it fails, the shortest part that fails
 *     npm run fuzz -- 17 --turns 0,3,4     only these turns, with the whole trace
 *     npm run fuzz -- 1 500                a range of seeds, with one line for each failure
 *
 * `--ignore PATTERN` ignores known findings: those whose check and message match.
 */
import { parseArgs } from 'node:util';
import { planOf } from './plan.ts';
import { failureLine, failureReport, settingLine } from './report.ts';
import { play } from './session.ts';
import { partOf, shrink } from './shrink.ts';

const REPLAYS = 200;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { turns: { type: 'string' }, ignore: { type: 'string' } },
});
const [first = 1, last = first] = positionals.map(Number);
const ignored = values.ignore === undefined ? undefined : new RegExp(values.ignore);
let failures = 0;
for (let seed = first; seed <= last; seed++) {
  const plan = planOf(seed);
  const turns = values.turns?.split(',').map(Number) ?? [...plan.steps.keys()];
  const failure = await play(partOf(plan, turns), ignored);
  if (failure) failures++;
  if (first === last) {
    if (!failure) console.log(`${settingLine(plan)}: nothing broke`);
    else if (values.turns) console.log(failureReport(plan, { turns, failure }));
    else console.log(failureReport(plan, await shrink(plan, failure, REPLAYS, ignored)));
  } else if (failure) console.log(failureLine(plan, failure));
}
console.log(`${failures} of ${last - first + 1} sessions failed`);
process.exitCode = failures > 0 ? 1 : 0;
