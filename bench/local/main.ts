/**
 * Tokens and CPU seconds that a local model's engine spends on the prompts of one task: all schemas
 * declared, Toolfold's strategies, and the AI SDK's own `toolSearch()`. Prompts are processed by
 * llama.cpp with a small real model; the model's choices are scripted.
 */
import { type Arguments, HELP, readArguments } from './arguments.ts';
import { LlamaEngine } from './engine.ts';
import { install, missingOf, type Packages, packagesIn } from './packages.ts';
import { type Cell, isCheaper, textOf } from './table.ts';

/** Tokens that the model was trained for. */
const WINDOW = 8_192;

const say = (line: string) => console.error(line);

try {
  await main(readArguments(process.argv.slice(2)));
} catch (error) {
  const cause = error instanceof Error && error.cause !== undefined ? `\n${error.cause}` : '';
  say(`${error instanceof Error ? error.message : error}${cause}`);
  process.exitCode = 1;
}

async function main(options: Arguments): Promise<void> {
  const packages = packagesIn(process.env.XDG_CACHE_HOME);
  if (options.help) {
    console.log(HELP);
    return;
  }
  if (options.install) install(packages, say);
  const missing = missingOf(packages).map(({ title }) => title);
  if (missing.length > 0) {
    if (options.json) console.log(JSON.stringify({ skipped: missing }));
    const told = options.json ? say : console.log;
    for (const title of missing) told(`Skipped: ${title} is not installed.`);
    told(`To install into ${packages.folder}: npm run bench:local -- --install`);
  }
  if (missing.length > 0 || options.install) return;
  const cells = await measure(options, packages);
  if (options.json) console.log(JSON.stringify(cells, null, 2));
  if (cells.some((cell) => isCheaper(cell) === false)) process.exitCode = 1;
}

async function measure(options: Arguments, packages: Packages): Promise<Cell[]> {
  // The AI SDK and the MCP SDK are needed from here on only.
  const { measureCell } = await import('./measure.ts');
  const { listServers } = await import('./servers.ts');
  const listings = await listServers(AbortSignal.timeout(60_000));
  const engine = await LlamaEngine.start(packages, WINDOW, options.threads);
  const cells: Cell[] = [];
  try {
    for (const results of options.results) {
      for (const servers of options.servers) {
        const cell = await measureCell(engine, listings, { ...options, servers, results }, say);
        cells.push(cell);
        if (!options.json) console.log(textOf(cell));
      }
    }
  } finally {
    await engine.stop();
  }
  return cells;
}
