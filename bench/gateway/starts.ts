import { spawnSync } from 'node:child_process';
import { median, show } from '../pool/figures.ts';
import { LineClient } from './line-client.ts';
import { configOf, environment, poolServer, type Servers, TOOLFOLD } from './place.ts';

interface Times {
  readonly welcome: number;
  readonly list: number;
  readonly call: number;
}

const LABELS = { welcome: 'initialize', list: 'list', call: 'first call' } as const;

export function servers(count: number): Record<string, readonly string[]> {
  const tools = poolServer({ tools: 20 });
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`server${at}`, tools]));
}

/** Times from the start of the gateway until its answers. `place`: where its lists are cached. */
async function timesOf(all: Servers, place: string, called: string): Promise<Times> {
  const begin = performance.now();
  const command = [...TOOLFOLD, 'serve', '--config', configOf(all)];
  const client = new LineClient(command, environment(place));
  await client.begin();
  const welcome = performance.now() - begin;
  await client.tools();
  const list = performance.now() - begin;
  await client.request('tools/call', { name: called, arguments: {} });
  const call = performance.now() - begin;
  await client.close();
  return { welcome, list, call };
}

/** How long a process of Node takes that does nothing. */
function nodeAlone(): number {
  const begin = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - begin;
}

/** Start times with and without cached lists. */
export async function starts(): Promise<void> {
  const ways: readonly (readonly [string, Servers, boolean])[] = [
    ['9 servers, cold', servers(9), false],
    ['9 servers, cached lists', servers(9), true],
    ['39 servers, cold', servers(39), false],
  ];
  console.log('Starts, milliseconds (median of 5)');
  show('Node alone', median(Array.from({ length: 5 }, nodeAlone)));
  for (const [name, all, isWarm] of ways) {
    const times: Times[] = [];
    for (let run = 0; run < 5; run++) {
      const place = isWarm ? 'warm' : `cold-${name}-${run}`;
      times.push(await timesOf(all, place, 'server8__work'));
    }
    for (const key of ['welcome', 'list', 'call'] as const)
      show(`${name}: ${LABELS[key]}`, median(times.map((one) => one[key])));
  }
}
