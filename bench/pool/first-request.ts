import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startModelServer } from '@toolfold/testing';
import { createWorkplace } from '../../packages/toolfold/src/demo/demo.ts';
import { median, show } from './figures.ts';

const root = join(import.meta.dirname, '../..');
const built = join(root, 'out/toolfold/dist/cli/main.js');
const isBuilt = existsSync(built);
const mainModule = JSON.stringify(
  pathToFileURL(isBuilt ? built : join(root, 'packages/toolfold/src/cli/main.ts')).href,
);

/** What every program with these libraries has to wait for, before anything of ours. */
const libraries = ['ai', '@ai-sdk/anthropic', 'zod', 'commander', 'jsonc-parser'];

/** The parts of the start, each with all that comes before it. */
const steps: readonly (readonly [what: string, source: string])[] = [
  ['Node alone', ''],
  [
    'with the AI SDK and the other libraries',
    libraries.map((name) => `await import('${name}');`).join(' '),
  ],
];

/**
 * Measures `toolfold run` on the servers of the demo, whose lists are cached: from the start of the
 * process to the first request to the model.
 */
export async function measureFirstRequest(runs: number): Promise<void> {
  await using workplace = await createWorkplace();
  let asked = Promise.withResolvers<number>();
  await using model = await startModelServer({
    script: () => {
      asked.resolve(performance.now());
      return { text: 'Hello.' };
    },
  });
  const { folder, config } = workplace;
  const { PATH } = process.env;
  // As bin/toolfold.js does. In a checkout that runs the sources.
  const compiled = { NODE_COMPILE_CACHE: join(folder, 'compiled') };
  const env = { PATH, HOME: folder, ANTHROPIC_API_KEY: 'sk-bench', ...compiled };
  const run = async (args: readonly string[], more: object = {}): Promise<number> => {
    asked = Promise.withResolvers<number>();
    const begin = performance.now();
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...env, ...more },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit').then(() => performance.now());
    const first = await Promise.race([asked.promise, ended]);
    await ended;
    return first - begin;
  };
  const node = ['--input-type=module', '--eval'];
  const flags = ['--model', 'anthropic/claude-opus-5-5', '--base-url', model.baseUrl('anthropic')];
  const command = [join(root, 'packages/toolfold/bin/toolfold.js')];
  const main = isBuilt
    ? [
        ...node,
        `const { main } = await import(${mainModule}); await main(process.argv.slice(1));`,
        '--',
      ]
    : command;
  await run([...command, 'inspect', '--config', config]);
  const started = [...main, 'run', '--config', config, ...flags, 'Hello'];
  await run(started);
  const whole: number[] = [];
  const uncached: number[] = [];
  const parts = steps.map((): number[] => []);
  for (let count = 0; count < runs; count += 1) {
    for (const [at, [, source]] of steps.entries()) {
      parts[at]?.push(await run([...node, source, config]));
    }
    whole.push(await run(started));
    uncached.push(await run(started, { NODE_DISABLE_COMPILE_CACHE: '1' }));
  }
  const what = isBuilt ? 'the built package' : 'the sources, whose types Node removes';
  console.log(`\`toolfold run\` on six servers with cached lists, ${what} (${runs} runs)`);
  for (const [at, [name]] of steps.entries()) showBoth(name, parts[at] ?? []);
  showBoth('to the first request to the model', whole);
  showBoth('the same without kept compiled code', uncached);
  const fastest = Math.min(...whole);
  const ours = fastest - Math.min(...(parts[1] ?? []));
  show('ours: without Node and the libraries, fastest', ours);
  console.log(
    `  target 300 ms: ${fastest <= 300 ? 'inside' : ours <= 300 ? 'inside without them' : 'MISSED'}`,
  );
  console.log(`  that is ${(fastest / Math.min(...(parts[0] ?? []))).toFixed(1)} times Node alone`);
}

function showBoth(what: string, times: readonly number[]): void {
  show(`${what}, median`, median(times));
  show(`${' '.repeat(what.length)}  fastest`, Math.min(...times));
}
