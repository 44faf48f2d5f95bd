import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { resultsOn, toolsOn } from '@toolfold/ai-sdk/test/wire.test-support.ts';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import {
  type ModelServer,
  type Reply,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import { isQuick } from '@toolfold/testing/test/combinations.test-support.ts';
import type { AgentEvent } from '../src/events/events.ts';
import type { Agent } from '../src/options/options.ts';
import { forkSession } from '../src/sessions.ts';
import { collect, ended } from './agent.test-support.ts';
import {
  beginWay,
  compactionIn,
  fixedPart,
  hasSummary,
  isSummaryRequest,
  reading,
  WAY_OF_EACH,
  WAYS,
  type Way,
} from './compact.test-support.ts';

const SUMMARY = 'The user wants the names in the files. A and B were read.';

function assertHeld(requests: readonly RecordedRequest[]): void {
  const report = auditPrefix(requests);
  assert.ok(report.held, formatAuditReport(report));
}

function lastOf({ requests }: ModelServer): RecordedRequest {
  return requests.at(-1) ?? assert.fail('no request');
}

/** Why epochs began. */
function epochsIn(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'epoch' ? [event.reason] : []));
}

/** Reads two files, thanks, and asks for a compaction. */
async function compactTalk(server: ModelServer, talk: Agent, way: Way): Promise<void> {
  await collect(talk.send('Read a.txt and b.txt.'));
  await collect(talk.send('Thank you.'));
  const { requests } = server;
  const last = lastOf(server);
  const events = await collect(talk.compact());
  assert.equal(ended(events).reason, 'done');
  const { before, after, cause, summary } = compactionIn(events);
  assert.deepEqual([cause, summary], ['user', SUMMARY]);
  assert.ok(after < before / 4, `${before} to ${after}`);
  const [usage, ...others] = events.filter((event) => event.type === 'usage');
  assert.ok(usage && others.length === 0);
  // Without a report of the server there is only an estimate.
  if (way.holds && !usage.isEstimate)
    assert.ok(usage.cacheRead > usage.input * 0.8, `${usage.cacheRead} of ${usage.input}`);

  const asked = lastOf(server);
  assert.ok(isSummaryRequest(asked) && asked.raw.includes('b.txt, line 399'));
  assert.equal(requests.at(-2), last);
  assertHeld(way.holds ? requests : requests.slice(-2));
  assert.deepEqual(toolsOn(asked), toolsOn(last));
  assert.ok(toolsOn(asked).includes('recall_result'));
}

describe('a compaction that the user wants', () => {
  for (const way of isQuick ? WAY_OF_EACH : WAYS) {
    test(`promise 1: reads the summary from the cache: ${way.name}`, async () => {
      const replies: Reply[] = [...reading(way), { text: 'Welcome.' }, { text: SUMMARY }];
      const script = () => replies.shift() ?? assert.fail('no reply');
      await using server = await startModelServer({ script, cache: { minimum: 512 } });
      const { talk, session } = await beginWay(server, way);
      await compactTalk(server, talk, way);
      const asked = lastOf(server);
      const fork = await forkSession(session);

      const entries = session.entries.filter(
        ({ kind, body }) => kind === 'result' && !body.isBridge,
      );
      const id = String(entries[0]?.body.id);
      replies.push(
        { calls: [way.call('recall_result', { id, offset: 10, limit: 400 })] },
        ...(way.load ? [{ calls: [way.load] }] : []),
        { calls: [way.call('files__read', { path: 'c.txt' })] },
        { text: 'Done.' },
      );
      const first = server.requests.length;
      const events = await collect(talk.send('Read c.txt too.'));
      assert.equal(ended(events).reason, 'done');
      const begun = server.requests[first] ?? assert.fail();
      const epochs = epochsIn(events);
      assert.deepEqual(epochs, ['the conversation was compacted']);
      assert.ok(begun.raw.includes(SUMMARY) && hasSummary(begun));
      assert.ok(begun.raw.includes('Thank you.') && !begun.raw.includes('line 399'));
      assert.ok(begun.raw.length < asked.raw.length / 2);
      // `inject` and `lazy` change the tools with each load.
      const same = way.holds ? asked : (server.requests[0] ?? assert.fail());
      assert.equal(fixedPart(begun), fixedPart(same));
      if (way.holds) assertHeld(server.requests.slice(first));
      const [recalled = '', ...others] = resultsOn(lastOf(server)).map(({ text }) => text);
      assert.match(recalled, /"offset":10,"text":"e 0: some words\.\\na\.txt, line 1/);
      assert.match(others.at(-1) ?? '', /c\.txt, line 399/);

      replies.push({ text: 'Forked.' }, { text: 'Resumed.' });
      const forked = await beginWay(server, way, { session: fork });
      const ofFork = await collect(forked.talk.send('Read c.txt too.'));
      assert.equal(ended(ofFork).reason, 'done');
      assert.deepEqual(lastOf(server).body, begun.body);
      assert.deepEqual(epochsIn(ofFork), epochs);
      const resumed = await beginWay(server, way, { session });
      const before = server.requests.length - 2;
      assert.equal(ended(await collect(resumed.talk.send('And?'))).reason, 'done');
      const { requests } = server;
      if (way.holds) assertHeld([requests[before], requests.at(-1)] as RecordedRequest[]);
    });
  }
});
