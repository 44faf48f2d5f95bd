import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createServerPool } from '../../src/index.ts';
import { echoEntry } from './echo-server.test-support.ts';
import type { Json } from './raw-server.test-support.ts';
import { openClient, openGateway } from './scene.test-support.ts';

const DIGITS = '12345678901234567890';
/** A number as the program that writes it has it. */
const raw = (text: string): unknown =>
  (JSON as never as { rawJSON(text: string): unknown }).rawJSON(text);

/** The text of the request that the server got. */
function echoed(result: unknown): string {
  const [part] = (result as { content: { text: string }[] }).content;
  return part?.text ?? '';
}

for (const era of ['legacy', 'modern'] as const)
  for (const way of ['stdio', 'http'] as const)
    suite(`an integer that no number holds, ${era}, ${way}`, () => {
      test('is written to a server as a bigint has it', async (context) => {
        const entry = await echoEntry(context, era, way);
        await using pool = await createServerPool(
          { servers: new Map([['fixture', entry]]), settings: undefined },
          { manifests: false },
        );
        const [group] = pool.groups;
        const [tool] = (await group?.loader({ signal: AbortSignal.timeout(20_000) })) ?? [];
        assert.equal(tool?.takesBigints, true);
        const input = { id: BigInt(DIGITS), list: [BigInt(`-${DIGITS}`), 1] };
        const result = await tool.execute?.(input, {
          signal: AbortSignal.timeout(20_000),
        } as never);
        assert.match(echoed(result), new RegExp(`"id":${DIGITS},"list":\\[-${DIGITS},1\\]`));
      });

      for (const mode of ['passthrough', 'eager', 'bridge', 'dispatch'] as const)
        for (const check of [true, false])
          test(`passes the gateway as it was written, ${mode}, ${check ? '' : 'un'}checked`, async (context) => {
            const entry = await echoEntry(context, era, way);
            const gateway = openGateway(context, { fixture: entry }, { mode, check });
            const client = await openClient(context, gateway, way, { era });
            const args = { id: raw(DIGITS) } as Json;
            const input =
              mode === 'passthrough' || mode === 'eager'
                ? { name: mode === 'eager' ? 'fixture__echo' : 'echo', arguments: args }
                : {
                    name: mode === 'bridge' ? 'tool_call' : 'deferred_tool_call',
                    arguments: {
                      [mode === 'bridge' ? 'name' : 'tool_name']: 'fixture__echo',
                      arguments: args,
                    },
                  };
            const { result, error } = await client.request('tools/call', input);
            assert.equal(error, undefined);
            assert.match(echoed(result), new RegExp(`"arguments":\\{"id":${DIGITS}\\}`));
          });

      test('that is no integer is refused by the gateway', async (context) => {
        const entry = await echoEntry(context, era, way);
        const gateway = openGateway(context, { fixture: entry }, { mode: 'passthrough' });
        const client = await openClient(context, gateway, way, { era });
        const { error } = await client.call('echo', { id: raw('1e400') });
        assert.match(String(error?.message), /1e400 has more digits than a number can hold/);
      });
    });
