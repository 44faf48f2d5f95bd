import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { selected, selection } from '@toolfold/testing/test/combinations.test-support.ts';
import { callsOn, resultsOn } from '../wire.test-support.ts';
import { WITHOUT_BOUNDS, WITHOUT_METADATA, WITHOUT_RESULTS } from './clients.test-support.ts';
import { play } from './rounds.test-support.ts';
import { later, rowsOf, SCRIPTS, SOME_WAYS, wayIn } from './scripts.test-support.ts';

// The providers warn about reasoning without a signature.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const SPOKEN = rowsOf(SOME_WAYS, ['json', 'ui']);

for (const client of [WITHOUT_METADATA, WITHOUT_BOUNDS, WITHOUT_RESULTS]) {
  // Without metadata, the provider cannot know a search of its own again: as with ordinary steps.
  const rows = selected(SPOKEN.filter(({ endpoint }) => endpoint.name !== 'openai-search'));
  describe(`a client that ${client.name}, ${selection}`, () => {
    for (const script of SCRIPTS) {
      test(`every request is accepted, each call has its own result: ${script.name}`, async () => {
        for (const row of rows.filter((one) => one.script === script)) {
          const { mode, route } = row;
          const way = wayIn(row);
          const where = `${way.name}, ${mode}, ${route}`;
          const replies = [...script.replies(way), ...later(way)];
          const played = await play({ way, mode, route, replies, between: client.change });
          assert.equal(played.raw.length, replies.length, where);
          const last = played.requests.at(-1);
          assert.ok(last);
          const results = resultsOn(last).map(({ id }) => id);
          const calls = callsOn(last).map(({ id }) => id);
          assert.deepEqual([...results].sort(), [...calls].sort(), where);
          assert.equal(new Set(results).size, results.length, `${where}: a result appears twice`);
          const written = replies.flatMap((reply) => reply.calls ?? []);
          assert.equal(calls.length, written.length, where);
          assert.ok(!last.raw.includes('result of this call was lost'), where);
        }
      });
    }
  });
}
