/**
 * Measures how often the built-in search finds the right tool, next to other search libraries, and
 * how long each takes. The data is a folder of sets, each with `tools.jsonl` and `queries*.jsonl`.
 */
import { writeFileSync } from 'node:fs';
import { loadVectors } from '../../packages/core/src/vectors.ts';
import { type Arguments, HELP, readArguments } from './arguments.ts';
import { type QuerySet, readSets, setNames } from './data.ts';
import { readEmbeddings, writeTexts } from './embeddings.ts';
import { fitHonesty, measureHonesty } from './honesty/index.ts';
import { measureAll } from './measure.ts';
import { allTools, mergedSets } from './merge.ts';
import type { Method } from './method.ts';
import { embedded } from './methods/embedded.ts';
import { METHODS } from './methods/index.ts';
import { oursWithout } from './methods/ours.ts';
import { writeSummary, writeTable } from './page.ts';
import { paraphraseSets, paraphrasesTable } from './paraphrases.ts';
import { measureScale, scaleTable } from './scale.ts';
import { differenceTable, macroTable, ndcgTable, type Results, setTable } from './tables.ts';
import { tune } from './tune/index.ts';

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
  if (options.fit) return fitHonesty(options, log);
  if (options.honesty) return show(await measureHonesty(options, log), options);
  if (setNames(options.data).length === 0) {
    console.log(`Skipped: there are no sets of tools in ${options.data}.`);
    return;
  }
  if (options.tune) {
    tune(options, log, options.methods.includes('vectors') ? await loadVectors() : undefined);
    return;
  }
  if (options.scale) return scale(chosenMethods(options), options);
  const sets = options.paraphrases ? paraphraseSets(options) : chosenSets(options);
  const embed = options.embeddings === undefined ? undefined : readEmbeddings(options.embeddings);
  if (options.embeddings !== undefined && embed === undefined) {
    const count = await writeTexts(options.embeddings, sets);
    console.log(`${options.embeddings} has no vectors yet. Its ${count} texts are written.`);
    return;
  }
  const methods = [
    ...chosenMethods(options),
    ...(options.without.length > 0 ? oursWithout(options.without) : []),
    ...(embed ? embedded(embed) : []),
  ];
  const results = { methods, sets, measured: await measureAll(methods, sets) };
  if (options.paraphrases)
    return show(new Map([['paraphrases', paraphrasesTable(results)]]), options);
  const tables = [macroTable(results), differenceTable(results), setTable(results)];
  console.log(tables.filter((table) => table !== '').join('\n'));
  if (options.page) {
    writeTable('search', macroTable(results));
    writeTable('search-difference', differenceTable(results));
    writeTable('search-sets', ndcgTable(results));
  }
  if (options.json !== undefined) writeFileSync(options.json, figures(results));
  if (options.page) writeSummary();
}

function log(text: string): void {
  console.log(text);
}

/** Prints tables, and writes them into their regions of the page if that is asked for. */
function show(tables: ReadonlyMap<string, string>, { page }: Arguments): void {
  for (const [region, table] of tables) {
    console.log(table);
    if (page) writeTable(region, table);
  }
}

async function scale(methods: readonly Method[], options: Arguments): Promise<void> {
  const scaled = await measureScale(methods, options, (line) => console.error(line));
  const table = scaleTable(scaled, new Map(methods.map(({ id, title }) => [id, title])));
  console.log(table);
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify({ scaled })}\n`);
  if (!options.page) return;
  writeTable('search-scale', table);
  writeSummary();
}

/** Throws if a method is unknown. */
function chosenMethods({ methods, ours }: Arguments): Method[] {
  const ids = METHODS.map(({ id }) => id);
  const unknown = methods.find((id) => !ids.includes(id));
  if (unknown !== undefined)
    throw new Error(`There is no method "${unknown}". The methods are ${ids.join(', ')}.`);
  return METHODS.filter(
    ({ id, isOurs }) => (isOurs || !ours) && (methods.length === 0 || methods.includes(id)),
  );
}

/** Throws if a set is unknown. */
function chosenSets({ data, catalogs, part, sets, merged }: Arguments): QuerySet[] {
  const names = setNames(data);
  const unknown = sets.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new Error(`There is no set "${unknown}" in ${data}. The sets are ${names.join(', ')}.`);
  const chosen = readSets(data, part, sets);
  return merged ? mergedSets(chosen, allTools(data, catalogs)) : chosen;
}

/** The measured values as JSON: each query's measures and times, in the order of the queries. */
function figures({ sets, measured }: Results): string {
  const queries = sets.map(({ name, tools, queries: asked }) => ({
    set: name,
    tools: tools.length,
    queries: asked.map(({ id }) => id),
  }));
  return `${JSON.stringify({ sets: queries, measured })}\n`;
}
