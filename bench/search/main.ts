/**
 * Measures how often the built-in search finds the right tool, next to other search libraries, and
 * how long each takes. The data is a folder of sets, each with `tools.jsonl` and `queries*.jsonl`.
 */

import { type Arguments, HELP, readArguments } from './arguments.ts';
import { readSets } from './data.ts';
import { measureAll } from './measure.ts';
import { allTools, mergedSets } from './merge.ts';
import type { Method } from './method.ts';
import { lexical } from './methods/ours.ts';
import { macroTable, setTable } from './tables.ts';

const METHODS: readonly Method[] = [lexical];

try {
  await main(readArguments(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function main(options: Arguments): Promise<void> {
  if (options.help) {
    console.log(HELP);
    return;
  }
  const alone = readSets(options.data, options.part, options.sets);
  const sets = options.merged ? mergedSets(alone, allTools(options.data, options.catalogs)) : alone;
  if (sets.length === 0) {
    console.log(`Skipped: no sets of tools and queries in ${options.data}.`);
    return;
  }
  const methods = METHODS.filter(({ isOurs }) => isOurs || !options.ours);
  const measured = await measureAll(methods, sets);
  console.log(
    `${macroTable({ methods, sets, measured })}\n${setTable({ methods, sets, measured })}`,
  );
}
