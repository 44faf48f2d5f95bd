// test: slow, first, harm
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { connectServers } from '../src/pool/connect-servers.ts';
import type { ServerPool } from '../src/pool/contract.ts';
import { check, entriesOf, lifecycleOf, outcomes } from './hostile.test-support.ts';
import { ENV_SECRET, FLAG_SECRET, modes } from './hostile-server.test-support.ts';

const limited = { timeout: 180_000 };
const program = new URL('./hostile-server.test-support.ts', import.meta.url).pathname;

test('every mode has an outcome', () => {
  assert.deepEqual(Object.keys(outcomes), Object.keys(modes));
});

suite('hostile servers over stdio, and a healthy one beside them', { concurrency: 4 }, () => {
  let connected: ServerPool;

  before(async () => {
    const servers = entriesOf(
      Object.fromEntries(
        Object.entries(outcomes).map(([mode, outcome]) => [
          mode,
          {
            ...lifecycleOf(outcome),
            command: process.execPath,
            args: [program, mode, `--api-key=${FLAG_SECRET}`],
            env: { SECRET: ENV_SECRET },
          },
        ]),
      ),
    );
    connected = await connectServers({ servers, settings: undefined }, { timeout: 150_000 });
  }, limited);

  after(() => connected.close(), limited);

  for (const [mode, outcome] of Object.entries(outcomes)) {
    test(mode, limited, () => check(connected, mode, outcome));
  }
});
