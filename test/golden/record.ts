/**
 * Records the golden sessions: `node test/golden/record.ts [names]`.
 * It plays each scenario, or those that are named, and writes its session and what an agent says of it.
 * Record again only where the bytes of requests, the entries or the screens are meant to change, and read the diff.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { placeOf, readFixture } from './fixture.ts';
import { observe } from './observe.ts';
import { packed } from './packed.ts';
import { play } from './play.ts';
import { SCENARIOS } from './scenarios/index.ts';

const names = process.argv.slice(2);
for (const folder of ['sessions', 'expected'] as const)
  mkdirSync(placeOf(folder, ''), { recursive: true });
for (const scenario of SCENARIOS) {
  const { name } = scenario;
  if (names.length > 0 && !names.includes(name)) continue;
  const { lines, requests } = await play(scenario);
  writeFileSync(placeOf('sessions', `${name}.jsonl`), `${lines.join('\n')}\n`);
  const observed = await observe(scenario, readFixture(name));
  writeFileSync(placeOf('expected', `${name}.json`), packed({ requests, ...observed }));
  console.log(name);
}
// A tool that hangs keeps its process.
process.exit();
