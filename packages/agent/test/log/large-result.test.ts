// test: slow
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { SdkToolGroup } from '@toolfold/ai-sdk';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { sqliteStore } from '../../src/sessions.ts';
import { assertHeld, collect, ended } from '../agent.test-support.ts';
import { agentIn } from './session-talk.test-support.ts';

/** Megabytes of the result. */
const SIZE = process.env.TOOLFOLD_TEST_FULL === '1' ? 50 : 5;

test(`a result of ${SIZE} MB is kept, and the tool does not run again`, async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const store = await sqliteStore({ folder });
  context.after(() => store.close());
  const text = 'one line of a result\n'.repeat(SIZE * 50_000);
  let runs = 0;
  const large: SdkToolGroup = {
    groupId: 'mcp:work',
    toolNames: ['read'],
    loader: async () => [
      {
        name: 'read',
        inputSchema: { type: 'object' },
        execute: async () => {
          runs++;
          return text;
        },
      },
    ],
  };
  const fold = { strategy: 'dispatch' as const, groups: [large], tools: {} as never };
  let answers = 0;
  // The process ends with an error of the provider, after the result was written.
  const server = await startModelServer({
    script: () =>
      answers++ === 0
        ? { calls: [DISPATCH.call('work__read', {})] }
        : answers === 2
          ? { error: { status: 529, body: 'Overloaded.' } }
          : { text: 'Done.' },
  });
  context.after(() => server.close());
  const first = await agentIn(store, server, { fold });
  assert.equal(ended(await collect(first.send('Go.'))).reason, 'error');
  const second = await agentIn(store, server, { fold });
  assert.equal(ended(await collect(second.resume())).reason, 'done');
  assert.equal(runs, 1);
  const result = (await store.read('s')).find(({ kind }) => kind === 'result');
  assert.ok(result?.body.output === text);
  assertHeld(server);
});
