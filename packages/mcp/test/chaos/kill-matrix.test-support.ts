import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { environment, home, outcomeOf, start } from 'toolfold/test/cli/process.test-support.ts';
import { readConfig } from '../../src/config/read-config.ts';
import { manifestFiles } from '../../src/server/manifest.ts';
import { Controller, type Point } from './controller.test-support.ts';
import { callsOfMatrix } from './matrix-calls.test-support.ts';

/** Who makes the ten calls: `toolfold run` with a scripted model, or a script on the pool. */
export type Driver = 'run' | 'script';

/** Who is killed: the host or the server that is at the point. */
export type Victim = 'host' | 'server' | 'nobody';

/** What came of one run. */
export interface Result {
  readonly points: readonly string[];
  readonly answers: ReadonlyMap<string, string>;
  /** Ids of the calls that took effect, one for each effect. */
  readonly effects: readonly string[];
  readonly calls: readonly string[];
}

const server = join(import.meta.dirname, 'server.test-support.ts');
const script = join(import.meta.dirname, 'script.test-support.ts');
const isPoint = (at: string) => (point: Point) => `${point.server} ${point.what}` === at;

/** Makes the ten calls once. Kills the victim when a server is at the point for the first time. */
export async function runOnce(
  context: TestContext,
  driver: Driver,
  victim: Victim,
  at: string,
): Promise<Result> {
  let isKilled = false;
  const host = { kill: (): void => {} };
  const controller = await Controller.begin(context, (point) => {
    if (isKilled || victim === 'nobody' || !isPoint(at)(point)) return;
    isKilled = true;
    if (victim === 'host') host.kill();
    else process.kill(point.pid, 'SIGKILL');
  });
  const folder = await home(context);
  const effects = join(folder, 'effects.txt');
  await writeFile(effects, '');
  const serverEntry = (name: string): object => ({
    command: process.execPath,
    args: [server, String(controller.port), name, effects],
  });
  const config = join(folder, 'toolfold.json');
  const mcpServers = { writer: serverEntry('writer'), reader: serverEntry('reader') };
  const toolfold = { servers: { reader: { trusted: true } } };
  await writeFile(config, JSON.stringify({ mcpServers, toolfold }));
  const cache = join(folder, 'manifests');
  await mkdir(cache);
  const child = driver === 'run' ? await startRun(context, folder) : startScript(folder);
  host.kill = () => child.kill('SIGKILL');
  const { code, stdout, stderr } = await outcomeOf(child);
  await controller.allGone();
  assert.equal(isKilled, victim !== 'nobody', `no server came to "${at}"`);
  if (victim === 'host') assert.equal(code, null);
  else assert.equal(code, 0, stderr);
  await checkCache(config, cache);
  return {
    points: controller.points.map(({ server: name, what }) => `${name} ${what}`),
    answers: answersIn(driver, stdout),
    effects: (await readFile(effects, 'utf8')).split('\n').filter((line) => line !== ''),
    calls: controller.points.flatMap(({ what }) => /^call (.*)/.exec(what)?.[1] ?? []),
  };
}

function startScript(folder: string): ReturnType<typeof spawn> {
  const args = [script, join(folder, 'toolfold.json'), join(folder, 'manifests')];
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  return spawn(process.execPath, args, { env: environment(folder, {}), stdio: [...stdio] });
}

async function startRun(context: TestContext, folder: string): Promise<ReturnType<typeof spawn>> {
  let made = 0;
  const model = await startModelServer({
    script: () => {
      const call = callsOfMatrix[made++];
      if (call === undefined) return { text: 'Done.' };
      return { calls: [{ name: `${call.server}__${call.tool}`, arguments: { id: call.id } }] };
    },
  });
  context.after(() => model.close());
  const flags = ['--model', 'anthropic/claude-opus-5-5', '--base-url', model.baseUrl('anthropic')];
  const limits = ['--max-rounds', '12', '--allow', 'writer__*', '--json'];
  const env = { ANTHROPIC_API_KEY: 'sk-test' };
  const child = start(folder, ['run', ...flags, ...limits, 'Make ten calls'], { env });
  child.stdin?.end();
  return child;
}

/** The text of each answer by the id of its call. */
function answersIn(driver: Driver, stdout: string): ReadonlyMap<string, string> {
  const lines = stdout
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line));
  if (driver === 'script') return new Map(lines.map(({ id, text }) => [id, text]));
  const ids = new Map(
    lines.flatMap(({ type, id, arguments: input }) => {
      return type === 'call' ? [[id, input.id] as const] : [];
    }),
  );
  const ends = lines.filter(({ type }) => type === 'result' || type === 'failure');
  return new Map(ends.map((end) => [ids.get(end.id) ?? '', JSON.stringify(end)]));
}

/** No kill leaves a cached list that cannot be read. */
async function checkCache(config: string, folder: string): Promise<void> {
  const warnings: string[] = [];
  const store = manifestFiles({ folder, onWarning: (text) => warnings.push(text) });
  for (const [name, entry] of (await readConfig(config, { env: {} })).servers) {
    await store.load(name, entry);
  }
  assert.deepEqual(warnings, []);
}

/** What is true of each run, whoever was killed at which point. Returns a row for display. */
export function judge(result: Result, victim: Victim, at: string): string {
  const { answers, effects, calls } = result;
  assert.equal(new Set(effects).size, effects.length, `an effect happened twice: ${effects}`);
  const texts = callsOfMatrix.map(({ id }) => answers.get(id));
  const done = callsOfMatrix.filter(({ id }) => answers.get(id)?.includes(`done ${id}`));
  const unknown = texts.filter((text) => text?.includes('outcome of the call'));
  const row = `${done.length} done, ${unknown.length} unknown, ${effects.length} effects`;
  if (victim === 'host') return `${row}, no process left`;
  assert.ok(!texts.includes(undefined), `calls without an answer: ${[...answers]}`);
  const [name = '', what = '', id = ''] = at.split(' ');
  const repeated = calls.filter((call) => call === id).length - 1;
  const isRepeated = victim === 'server' && name === 'reader' && what === 'call';
  if (isRepeated) assert.equal(repeated, 1, `${id} was repeated ${repeated} times`);
  const isLost = victim === 'server' && name === 'writer' && ['call', 'effect'].includes(what);
  if (isLost) assert.match(answers.get(id) ?? '', /outcome of the call of append is unknown/);
  // A server that is killed while it starts may be missing until its next call.
  const isCall = ['call', 'effect', 'answer'].includes(what);
  // After its last answer, a dying server may still take the next call, whose outcome is unknown then.
  const isDying = victim === 'server' && name === 'writer' && what === 'answer';
  if (isDying) assert.ok(unknown.length <= 1, [...answers].join('\n'));
  else if (isCall) assert.equal(unknown.length, isLost ? 1 : 0, [...answers].join('\n'));
  if (isCall) assert.equal(done.length + unknown.length, 10, [...answers].join('\n'));
  return isRepeated ? `${row}, repeated once` : row;
}
