import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { median } from '../pool/figures.ts';
import { PlainHttpClient } from './http-client.ts';
import { configOf, environment, poolServer, TOOLFOLD } from './place.ts';
import { type Speed, shownSpeed, speedOf } from './speed.ts';

/** How often each way is measured, in turns, because a machine has faster and slower moments. */
const ROUNDS = 3;

async function measured(command: readonly string[], call: object): Promise<Speed> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment('http'),
  });
  const { promise, resolve } = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      const url = /Listening on (\S+)/.exec(line)?.[1];
      if (url) resolve(url);
    });
  const client = new PlainHttpClient(await promise);
  const speed = await speedOf(() => client.request('tools/call', { ...call }), 6000);
  client.close();
  child.kill('SIGTERM');
  await once(child, 'exit');
  return speed;
}

/** Calls over HTTP of 2026-07-28, beside a handler of the SDK that has nothing behind it. */
export async function http(): Promise<void> {
  const config = configOf({ work: poolServer({}) });
  const serve = [...TOOLFOLD, 'serve', '--config', config, '--http', '0'];
  const own = { name: 'work', arguments: { text: 'x' } };
  const call = { name: 'work__work', arguments: { text: 'x' } };
  const ways: readonly (readonly [string, readonly string[], object])[] = [
    ['a handler of the SDK', [process.execPath, join(import.meta.dirname, 'sdk-server.ts')], own],
    ['bridge', serve, { name: 'tool_call', arguments: call }],
    ['eager', [...serve, '--mode', 'eager'], call],
  ];
  console.log(`Calls over HTTP, medians of ${ROUNDS} rounds`);
  const speeds = ways.map((): Speed[] => []);
  for (let round = 0; round < ROUNDS; round++)
    for (const [at, [, command, params]] of ways.entries())
      speeds[at]?.push(await measured(command, params));
  const middle = (of: readonly Speed[]): Speed => ({
    p50: median(of.map(({ p50 }) => p50)),
    at8: median(of.map(({ at8 }) => at8)),
    at64: median(of.map(({ at64 }) => at64)),
  });
  const floor = middle(speeds[0] ?? []);
  for (const [at, [name]] of ways.entries()) {
    const speed = middle(speeds[at] ?? []);
    const ratios = [speed.at8 / floor.at8, speed.at64 / floor.at64].map((one) => one.toFixed(2));
    console.log(
      `  ${name.padEnd(24)} ${shownSpeed(speed)}   ${ratios.join(' and ')} × the handler`,
    );
  }
}
