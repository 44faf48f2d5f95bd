import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startModelServer } from 'toolfold/testing';
import { createWorkplace } from '../../examples/demo/servers.ts';
import { median, show } from './figures.ts';

const root = join(import.meta.dirname, '../..');
const built = join(root, 'dist/cli/main.js');
const isBuilt = existsSync(built);
const extension = isBuilt ? 'js' : 'ts';
const moduleOf = (name: string): string =>
  JSON.stringify(pathToFileURL(join(root, isBuilt ? 'dist' : 'src', `${name}.${extension}`)).href);

/** The parts of the start, each with all that comes before it. */
const steps: readonly (readonly [what: string, source: string])[] = [
  ['Node alone', ''],
  ['with the command line', `await import(${moduleOf('cli/main')});`],
  [
    'with the modules of `run` and the AI SDK',
    `await import(${moduleOf('cli/main')}); await import(${moduleOf('cli/run/prompt')});
     await import('@ai-sdk/anthropic');`,
  ],
  [
    'with the configuration and the cached lists',
    `await import(${moduleOf('cli/main')}); await import(${moduleOf('cli/run/prompt')});
     await import('@ai-sdk/anthropic');
     const { readConfig, createServerPool } = await import(${moduleOf('mcp/index')});
     const pool = await createServerPool(await readConfig(process.argv[1], { env: {} }));
     pool.groups;`,
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
  const env = { PATH, HOME: folder, ANTHROPIC_API_KEY: 'sk-bench' };
  const run = async (args: readonly string[]): Promise<number> => {
    asked = Promise.withResolvers<number>();
    const begin = performance.now();
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'ignore' });
    const ended = once(child, 'exit').then(() => performance.now());
    const first = await Promise.race([asked.promise, ended]);
    await ended;
    return first - begin;
  };
  const node = ['--input-type=module', '--eval'];
  const flags = ['--model', 'anthropic/claude-opus-5-5', '--base-url', model.baseUrl('anthropic')];
  const command = [join(root, 'bin/toolfold.js')];
  const main = isBuilt
    ? [
        ...node,
        `const { main } = await import(${moduleOf('cli/main')}); await main(process.argv.slice(1));`,
        '--',
      ]
    : command;
  await run([...command, 'inspect', '--config', config]);
  const whole: number[] = [];
  const parts = steps.map((): number[] => []);
  for (let count = 0; count < runs; count += 1) {
    for (const [at, [, source]] of steps.entries())
      parts[at]?.push(await run([...node, source, config]));
    whole.push(await run([...main, 'run', '--config', config, ...flags, 'Hello']));
  }
  const what = isBuilt ? 'the built package' : 'the sources, whose types Node removes';
  console.log(`\`toolfold run\` on six servers with cached lists, ${what} (${runs} runs, medians)`);
  for (const [at, [name]] of steps.entries()) show(name, median(parts[at] ?? []));
  const total = median(whole);
  show('to the first request to the model', total, 300);
  show('fastest run', Math.min(...whole));
  show('without Node and imports', total - median(parts[2] ?? []));
}
