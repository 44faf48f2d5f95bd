// test: slow
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callIn, fixtureEntry, openGateway, StreamClient } from './scene.test-support.ts';

const limited = { timeout: 60_000 };
const LEVELS = 5_000;
const DEEP = `${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}`;

/** Writes arguments that `JSON.stringify` cannot write. */
class DeepClient extends StreamClient {
  protected override send(message: object): void {
    this.input.write(`${JSON.stringify(message).replace('"@deep"', DEEP)}\n`);
  }
}

for (const mode of ['bridge', 'dispatch', 'eager', 'passthrough'] as const)
  test(
    `arguments that are nested too deeply are answered as a failed call: ${mode}`,
    limited,
    async (context) => {
      const gateway = openGateway(
        context,
        { fixture: await fixtureEntry(context, 'legacy') },
        { mode },
      );
      const client = new DeepClient(gateway, { era: 'legacy' });
      context.after(() => client.close());
      await client.begin();
      const { name, ...params } = callIn(mode, 'count', '@deep' as never);
      const { result, error } = await client.request('tools/call', { name, ...params });
      if (mode === 'passthrough') {
        // It changes nothing, so a failure stays an error of the protocol.
        assert.equal(error?.code, -32_602);
        return assert.match(String(error?.message), /nested more than 200 levels deep/);
      }
      assert.equal(error, undefined);
      assert.equal(result?.isError, true);
      assert.match(
        JSON.stringify(result?.content),
        /nested more than 200 levels deep\. Nest them less/,
      );
    },
  );
