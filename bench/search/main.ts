/**
 * Measures how often the built-in search finds the right tool, next to other search libraries, and
 * how long each takes. The data is a folder of sets, each with `tools.jsonl` and `queries*.jsonl`.
 */

import { type Arguments, HELP, readArguments } from './arguments.ts';
import { readSets } from './data.ts';
import { measureAll } from './measure.ts';
import { allTools, mergedSets } from './merge.ts';
import { METHODS } from './methods/index.ts';
import { differenceTable, macroTable, setTable } from './tables.ts';

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
  const { ours, methods: chosen } = options;
  const methods = METHODS.filter(
    ({ id, isOurs }) => (isOurs || !ours) && (chosen.length === 0 || chosen.includes(id)),
  );
  const results = { methods, sets, measured: await measureAll(methods, sets) };
  const tables = [macroTable(results), differenceTable(results), setTable(results)];
  console.log(tables.filter((table) => table !== '').join('\n'));
}
