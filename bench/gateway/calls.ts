import { LineClient } from './line-client.ts';
import { configOf, environment, poolServer, RELAY, TOOLFOLD } from './place.ts';
import { type Speed, shownSpeed, speedOf } from './speed.ts';

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
  let floor: Speed | undefined;
  for (const [name, command, params] of ways) {
    const client = new LineClient(command, environment('calls'));
    await client.begin();
    await client.request('tools/call', params);
    const speed = await speedOf(() => client.request('tools/call', params));
    await client.close();
    if (name === 'a bare Node relay') floor = speed;
    const ratio = floor ? `   ${(speed.p50 / floor.p50).toFixed(2)} × the relay` : '';
    console.log(`  ${name.padEnd(24)} ${shownSpeed(speed)}${ratio}`);
  }
}
