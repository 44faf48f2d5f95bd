import { median } from '../pool/figures.ts';
import { LineClient } from './line-client.ts';
import { configOf, environment, poolServer, type Servers, TOOLFOLD } from './place.ts';
import { servers } from './starts.ts';

/** How often each is measured, by turns, because a machine has faster and slower moments. */
const ROUNDS = 9;

/** Milliseconds from the start of the gateway. */
interface Times {
  /** The answer to a call after the first list. */
  readonly listed: number[];
  /** The answer to a call without a list before it. */
  readonly direct: number[];
  /** How many servers the first list knew. */
  readonly known: number[];
}

let starts = 0;

async function measure(all: Servers, times: Times): Promise<void> {
  for (const isDirect of [false, true]) {
    const begin = performance.now();
    const command = [...TOOLFOLD, 'serve', '--config', configOf(all)];
    const client = new LineClient(command, environment(`hung-${++starts}`));
    await client.begin();
    const tools = isDirect ? [] : await client.tools();
    await client.request('tools/call', { name: 'server3__work', arguments: {} });
    times[isDirect ? 'direct' : 'listed'].push(performance.now() - begin);
    const lines = JSON.stringify(tools).match(/server\d+__ \(\d/g) ?? [];
    if (!isDirect) times.known.push(lines.length);
    await client.close();
  }
}

/**
 * What a server that hangs costs the others, in a cold start. Its process takes its part of the processors
 * while it starts, so one more server that works is measured too, and one that hangs and is almost no work.
 */
export async function hung(): Promise<void> {
  console.log(`A server that hangs: medians of ${ROUNDS} cold starts, by turns`);
  for (const count of [9, 39]) {
    const quick = servers(count);
    const ways: readonly (readonly [string, Servers])[] = [
      [`${count} servers`, quick],
      ['and one that hangs', { ...quick, hanging: poolServer({ hangs: true }) }],
      ['and one that hangs, the first', { hanging: poolServer({ hangs: true }), ...quick }],
      ['and one that hangs, no work', { ...quick, hanging: ['tail', '-f', '/dev/null'] }],
      ['and one more', servers(count + 1)],
    ];
    const measured = ways.map((): Times => ({ listed: [], direct: [], known: [] }));
    for (let round = 0; round < ROUNDS; round++)
      for (const [at, [, all]] of ways.entries())
        await measure(all, measured[at] ?? { listed: [], direct: [], known: [] });
    const [floor] = measured;
    for (const [at, [name]] of ways.entries()) {
      const times = measured[at];
      if (!floor || !times) continue;
      const shown = (key: 'listed' | 'direct'): string => {
        const ratios = times[key].map((time, round) => time / (floor[key][round] ?? time));
        return `${median(times[key]).toFixed(0).padStart(5)} ms, ${median(ratios).toFixed(2)} ×`;
      };
      console.log(
        `  ${name.padEnd(30)} list and call ${shown('listed')}   call alone ${shown('direct')}   ${median(times.known)} in the first list`,
      );
    }
  }
}
