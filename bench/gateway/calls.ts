import { LineClient } from './line-client.ts';
import { configOf, environment, poolServer, RELAY, TOOLFOLD } from './place.ts';
import { middleOf, ratesOf, shownSpeed } from './speed.ts';

/** Calls over stdio, beside a relay that does nothing but parse and write each line. */
export async function calls(): Promise<void> {
  const worker = poolServer({});
  const config = configOf({ work: worker });
  const serve = (...more: string[]): string[] => [
    ...TOOLFOLD,
    'serve',
    '--config',
    config,
    ...more,
  ];
  const own = { name: 'work', arguments: { text: 'x' } };
  const call = { name: 'work__work', arguments: { text: 'x' } };
  const bridged = { name: 'tool_call', arguments: call };
  const ways: readonly (readonly [string, readonly string[], Record<string, unknown>])[] = [
    ['direct', worker, own],
    ['a bare Node relay', [...RELAY, ...worker], own],
    ['passthrough', serve('--mode', 'passthrough'), own],
    ['eager', serve('--mode', 'eager'), call],
    ['bridge', serve(), bridged],
    ['bridge, --no-check', serve('--no-check'), bridged],
  ];
  console.log('Calls over stdio, one run');
  const clients: LineClient[] = [];
  const run: (() => Promise<unknown>)[] = [];
  for (const [, command, params] of ways) {
    const client = new LineClient(command, environment('calls'));
    clients.push(client);
    run.push(() => client.request('tools/call', params));
    await client.begin();
  }
  const middle = await middleOf(run);
  const floor = middle[ways.findIndex(([name]) => name === 'a bare Node relay')] ?? 0;
  for (const [at, call] of run.entries()) {
    const p50 = middle[at] ?? 0;
    const speed = shownSpeed({ p50, ...(await ratesOf(call)) });
    const ratio = at === 0 ? '' : `   ${(p50 / floor).toFixed(2)} × the relay`;
    console.log(`  ${ways[at]?.[0].padEnd(24)} ${speed}${ratio}`);
  }
  for (const client of clients) await client.close();
}
