/**
 * Measures how long `toolfold list` and `toolfold call` take, from the start of the process to its end: with
 * and without lists of earlier runs, and beside a server that hangs. Run by `npm run bench:commands`, after
 * `npm run build`. `TOOLFOLD_BENCH_MCPORTER`, or an argument, is the path of mcporter's `cli.js`: then
 * mcporter runs the same commands on the same file, by turns. `--servers 60`: so many servers, not five.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from './pool/figures.ts';

const RUNS = 5;
/** Fewer, because mcporter waits half a minute for the server that hangs. */
const RUNS_BESIDE_HANGING = 2;
/** Milliseconds after which a command is stopped. */
const LONGEST = 90_000;

const { values, positionals } = parseArgs({
  options: { servers: { type: 'string', default: '5' } },
  allowPositionals: true,
});
const SERVERS = Number(values.servers);

/** A command line without the program. */
type Arguments = readonly string[];

interface Program {
  readonly name: string;
  /** The arguments of Node that start it. */
  readonly start: Arguments;
}

const built = join(import.meta.dirname, '../out/toolfold/dist/cli/main.js');
const source = `const { main } = await import('${pathToFileURL(built).href}');
  await main(process.argv.slice(1));`;
const mcporter = positionals[0] ?? process.env.TOOLFOLD_BENCH_MCPORTER;
const programs: readonly Program[] = [
  { name: 'toolfold', start: ['--input-type=module', '--eval', source, '--'] },
  ...(mcporter === undefined ? [] : [{ name: 'mcporter', start: [mcporter] }]),
];
const commands: Readonly<Record<string, Arguments>> = {
  list: ['list'],
  'call server0.work': ['call', 'server0.work', 'text=hello'],
};

if (!existsSync(built)) throw new Error('Run "npm run build" first.');
const folder = mkdtempSync(join(tmpdir(), 'toolfold-commands-'));
try {
  const [healthy, hanging] = [configFile(false), configFile(true)];
  console.log(`${SERVERS} servers. Median of ${RUNS} runs by turns, wall-clock time.`);
  console.log(`Beside a server that hangs: the longer of ${RUNS_BESIDE_HANGING} runs.\n`);
  console.log(`| command | lists | ${programs.map(({ name }) => name).join(' | ')} |`);
  console.log(`|---|---|${programs.map(() => '--:').join('|')}|`);
  for (const [beside, file] of [
    ['', healthy],
    [', one more hangs', hanging],
  ] as const) {
    for (const [name, args] of Object.entries(commands)) {
      for (const lists of ['cold', 'cached'] as const) {
        const runs = file === hanging ? RUNS_BESIDE_HANGING : RUNS;
        const listed = lists === 'cached' ? healthy : undefined;
        const times = await byTurns([...args, '--config', file], runs, listed);
        console.log(`| \`${name}\`${beside} | ${lists} | ${times.map(shown).join(' | ')} |`);
      }
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function configFile(hangs: boolean): string {
  const server = join(import.meta.dirname, 'pool-server.ts');
  const entry = (behaviour: object): object => ({
    command: process.execPath,
    args: [server, JSON.stringify(behaviour)],
  });
  const names = Array.from({ length: SERVERS }, (_, n) => `server${n}`);
  const healthy = names.map((name) => [name, entry({ tools: 20 })]);
  const all = hangs ? [...healthy, ['hanging', entry({ hangs })]] : healthy;
  const file = join(folder, hangs ? 'hanging.json' : 'servers.json');
  writeFileSync(file, JSON.stringify({ mcpServers: Object.fromEntries(all) }));
  return file;
}

/**
 * The median of each program. Each run has a home folder of its own, unless there is a file whose servers
 * were listed in the home folder of all runs.
 */
async function byTurns(
  args: Arguments,
  runs: number,
  listed: string | undefined,
): Promise<number[]> {
  const newHome = (): string => mkdtempSync(join(folder, 'home-'));
  const homes = programs.map(newHome);
  for (const [at, { start }] of listed ? programs.entries() : [])
    await run([...start, 'list', '--config', listed ?? ''], homes[at] ?? folder);
  const times: number[][] = programs.map(() => []);
  for (let turn = 0; turn < runs; turn += 1) {
    for (const [at, { start }] of programs.entries())
      times[at]?.push(await run([...start, ...args], (listed && homes[at]) || newHome()));
  }
  return times.map(median);
}

/** Milliseconds from the start of a command to its end. Compiled code is kept for both programs alike. */
async function run(args: Arguments, home: string): Promise<number> {
  const { PATH } = process.env;
  const kept = { NODE_COMPILE_CACHE: join(folder, 'compiled') };
  const start = performance.now();
  const child = spawn(process.execPath, args, {
    ...{ cwd: home, env: { PATH, HOME: home, USERPROFILE: home, ...kept }, timeout: LONGEST },
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  await once(child, 'exit');
  return performance.now() - start;
}

function shown(ms: number): string {
  return ms < LONGEST ? `${(ms / 1000).toFixed(2)} s` : `over ${LONGEST / 1000} s`;
}
