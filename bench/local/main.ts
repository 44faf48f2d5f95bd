/**
 * Measures the tokens and CPU seconds that a local model's engine spends on the prompts of one
 * task: with all schemas declared, with Toolfold's strategies, and with the AI SDK's own
 * `toolSearch()`. llama.cpp processes the prompts with a small real model. The model's choices are
 * scripted.
 */
import { type Arguments, HELP, readArguments } from './arguments.ts';
import { LlamaEngine } from './engine.ts';
import { install, missingOf, type Packages, packagesIn } from './packages.ts';
import { type Cell, isCheaper, textOf } from './table.ts';

/** Context window of the model in tokens. */
const WINDOW = 8_192;

const log = (line: string) => console.error(line);

try {
  await main(readArguments(process.argv.slice(2)));
} catch (error) {
  const cause = error instanceof Error && error.cause !== undefined ? `\n${error.cause}` : '';
  log(`${error instanceof Error ? error.message : error}${cause}`);
  process.exitCode = 1;
}

async function main(options: Arguments): Promise<void> {
  const packages = packagesIn(process.env.XDG_CACHE_HOME);
  if (options.help) {
    console.log(HELP);
    return;
  }
  if (options.install) install(packages, log);
  const missing = missingOf(packages).map(({ title }) => title);
  if (missing.length > 0) {
    if (options.json) console.log(JSON.stringify({ skipped: missing }));
    const write = options.json ? log : console.log;
    for (const title of missing) write(`Skipped: ${title} is not installed.`);
    write(`To install into ${packages.folder}: npm run bench:local -- --install`);
  }
  if (missing.length > 0 || options.install) return;
  const cells = await measure(options, packages);
  if (options.json) console.log(JSON.stringify(cells, null, 2));
  if (cells.some((cell) => isCheaper(cell) === false)) process.exitCode = 1;
}

async function measure(options: Arguments, packages: Packages): Promise<Cell[]> {
  // Imported here, because only the measurement needs the AI SDK and the MCP SDK.
  const { measureCell } = await import('./measure.ts');
  const { listServers } = await import('../demo-servers.ts');
  const listings = await listServers(AbortSignal.timeout(60_000));
  const engine = await LlamaEngine.start(packages, WINDOW, options.threads);
  const cells: Cell[] = [];
  try {
    for (const results of options.results) {
      for (const servers of options.servers) {
        const cell = await measureCell(engine, listings, { ...options, servers, results }, log);
        cells.push(cell);
        if (!options.json) console.log(textOf(cell));
      }
    }
  } finally {
    await engine.stop();
  }
  return cells;
}
