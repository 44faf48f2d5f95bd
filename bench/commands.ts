/**
 * Measures how long `toolfold list` and `toolfold call` take, from the start of the process to its end: with
 * and without lists of earlier runs, and beside a server that hangs. Run by `npm run bench:commands`, after
 * `npm run build`. `TOOLFOLD_BENCH_MCPORTER`, or an argument, is the path of mcporter's `cli.js`: then
 * mcporter runs the same commands on the same file, by turns.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './pool/figures.ts';

const RUNS = 5;
/** Milliseconds after which a command is stopped. */
const LONGEST = 90_000;
const SERVERS = 5;

/** A command line without the program. */
type Arguments = readonly string[];

interface Program {
  readonly name: string;
  readonly file: string;
}

const toolfold = join(import.meta.dirname, '../bin/toolfold.js');
const mcporter = process.argv[2] ?? process.env.TOOLFOLD_BENCH_MCPORTER;
const programs: readonly Program[] = [
  { name: 'toolfold', file: toolfold },
  ...(mcporter === undefined ? [] : [{ name: 'mcporter', file: mcporter }]),
];
const commands: Readonly<Record<string, Arguments>> = {
  list: ['list'],
  'call server0.work': ['call', 'server0.work', 'text=hello'],
};

if (!existsSync(join(import.meta.dirname, '../dist')))
  throw new Error('Run "npm run build" first.');
const folder = mkdtempSync(join(tmpdir(), 'toolfold-commands-'));
try {
  const files = { '': configFile(false), ', one more hangs': configFile(true) };
  console.log(`${SERVERS} servers, median of ${RUNS} runs by turns, wall-clock time\n`);
  console.log(`| command | lists | ${programs.map(({ name }) => name).join(' | ')} |`);
  console.log(`|---|---|${programs.map(() => '--:').join('|')}|`);
  for (const [beside, file] of Object.entries(files)) {
    for (const [name, args] of Object.entries(commands)) {
      for (const lists of ['cold', 'cached'] as const) {
        const times = await byTurns([...args, '--config', file], lists === 'cached');
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

/** The median of each program. Cold: each run has a home folder of its own. Cached: `list` ran there before. */
async function byTurns(args: Arguments, isCached: boolean): Promise<number[]> {
  const homes = programs.map(() => mkdtempSync(join(folder, 'home-')));
  for (const [at, { file }] of isCached ? programs.entries() : [])
    await run(file, ['list', ...args.slice(args.indexOf('--config'))], homes[at] ?? folder);
  const times: number[][] = programs.map(() => []);
  for (let turn = 0; turn < RUNS; turn += 1) {
    for (const [at, { file }] of programs.entries()) {
      const home = isCached ? homes[at] : undefined;
      times[at]?.push(await run(file, args, home ?? mkdtempSync(join(folder, 'home-'))));
    }
  }
  return times.map(median);
}

/** Milliseconds from the start of a command to its end. */
async function run(file: string, args: Arguments, home: string): Promise<number> {
  const { PATH } = process.env;
  const start = performance.now();
  const child = spawn(process.execPath, [file, ...args], {
    ...{ cwd: home, env: { PATH, HOME: home, USERPROFILE: home }, timeout: LONGEST },
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  await once(child, 'exit');
  return performance.now() - start;
}

function shown(ms: number): string {
  return ms < LONGEST ? `${(ms / 1000).toFixed(2)} s` : `over ${LONGEST / 1000} s`;
}
