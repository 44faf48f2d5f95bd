/**
 * Measures the processor time that the built command takes for short commands, beside Node alone: from
 * the start of the process to its exit, or to the first frame of the chat. Run by `npm run bench:start`,
 * after `npm run build`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { median } from './pool/figures.ts';

const RUNS = 15;
const built = join(import.meta.dirname, '../out/toolfold/dist/cli/main.js');
const commands: readonly (readonly string[])[] = [
  ['--version'],
  ['--help'],
  ['run', '--help'],
  ['audit', '--help'],
  ['sessions', 'ls'],
  ['list', '--help'],
];

const TIMER = `
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    process.stderr.write('\\n' + (user + system) / 1000);
  });`;

/** Makes the process believe that it runs on a terminal, and ends it when the chat draws its first frame. */
const UNTIL_FIRST_FRAME = `
  process.stdin.setRawMode = () => {};
  for (const stream of [process.stdin, process.stdout]) stream.isTTY = true;
  process.stdout.write = (data) => {
    if (/loading|\\/help/.test(data)) process.exit();
    return true;
  };`;

if (!existsSync(built)) throw new Error('Run "npm run build" first.');
const folder = mkdtempSync(join(tmpdir(), 'toolfold-start-'));
try {
  const main = `const { main } = await import('${pathToFileURL(built).href}');
    await main(process.argv.slice(1));`;
  measure('Node alone', '', []);
  for (const args of commands) measure(`toolfold ${args.join(' ')}`, main, args);
  measure('toolfold chat', `${UNTIL_FIRST_FRAME}${main}`, ['chat']);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function measure(name: string, source: string, args: readonly string[]): void {
  const kept = { NODE_COMPILE_CACHE: join(folder, 'compiled') };
  const none = { NODE_DISABLE_COMPILE_CACHE: '1' };
  const [warm, cold] = [kept, none].map((env) => {
    // The first two runs write what is kept.
    const times = Array.from({ length: RUNS + 2 }, () => milliseconds(source, args, env));
    return median(times.slice(2)).toFixed(0);
  });
  console.log(`${name.padEnd(24)} ${warm} ms, without kept compiled code ${cold} ms`);
}

/** The processor time of one run. */
function milliseconds(
  source: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): number {
  const { stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', `${TIMER}${source}`, '--', ...args],
    { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, ...env }, encoding: 'utf8' },
  );
  return Number(stderr.trim().split('\n').at(-1));
}
