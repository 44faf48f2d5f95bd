import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { connectServers } from './connect-servers.ts';
import { createServerPool } from './pool.ts';

const config = { servers: new Map(), settings: {} };

function isRefused(text: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof ToolfoldError && error.code === 'invalid-option', String(error));
    assert.match(error.message, text);
    return true;
  };
}

const OPTIONS: readonly (readonly [options: object, text: RegExp])[] = [
  [{ elicitation: true }, /has no option "elicitation"/],
  [{ requests: true }, /"requests".*an object/],
  [{ requests: { elicitation: true } }, /"requests\.elicitation".*"form" or "url"/],
  [{ requests: { elicit: 'form' } }, /"requests" has no option "elicit".*"elicitation"/],
  [{ requests: { roots: '/home' } }, /"requests\.roots".*a list/],
  [{ requests: { logLevel: 'loud' } }, /"requests\.logLevel".*one of/],
  [{ idleTime: '5' }, /"idleTime".*milliseconds/],
  [{ timeout: Number.NaN }, /"timeout".*milliseconds/],
  [{ manifests: true }, /"manifests".*`load` and `save`, or false/],
  [{ logins: true }, /"logins".*an object, or false/],
  [{ starts: 'never' }, /"starts".*"due", "missing" or "none"/],
  [{ onEvent: 'log' }, /"onEvent".*a function/],
  [null as never, /are no object/],
];
/** The two ways to the servers of a host. */
const MAKERS = { createServerPool, connectServers };

for (const [name, make] of Object.entries(MAKERS))
  suite(`a mistake of the host of ${name}`, () => {
    for (const [options, text] of OPTIONS)
      test(`is refused with the option and what it expects: ${text.source}`, async () => {
        const all = options && { manifests: false, ...options };
        await assert.rejects(make(config, all as never), isRefused(text));
      });

    test('in place of a configuration is refused with the function that reads one', async () => {
      for (const odd of [
        undefined,
        null,
        'mcp.json',
        {},
        { servers: {} },
        { servers: [] },
      ] as never[])
        await assert.rejects(
          make(odd, { manifests: false }),
          isRefused(/configuration of the servers is missing.*readConfig\(\)/),
        );
    });
  });

test('a pool refuses an update without a configuration, and stays as it is', async () => {
  await using pool = await createServerPool(config, { manifests: false });
  await assert.rejects(pool.update({} as never), isRefused(/configuration of the servers/));
  await pool.update(config);
});
