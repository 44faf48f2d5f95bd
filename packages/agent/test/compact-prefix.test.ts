import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toolsOn } from '@toolfold/ai-sdk/test/wire.test-support.ts';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import {
  type ModelServer,
  type Reply,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import { isQuick } from '@toolfold/testing/test/combinations.test-support.ts';
import type { Session } from '../src/sessions/session.ts';
import { createSession, forkSession, memoryStore, openSession } from '../src/sessions.ts';
import { collect, ended } from './agent.test-support.ts';
import {
  beginWay,
  compactionIn,
  fixedPart,
  isSummaryRequest,
  reading,
  WAY_OF_EACH,
  WAYS,
  type Way,
} from './compact.test-support.ts';

const FIXED = ['dispatch', 'bridge', 'eager', 'native'];
const ways = (isQuick ? WAY_OF_EACH : WAYS).filter(({ strategy }) =>
  FIXED.includes(String(strategy)),
);

/** A server that reads two files in one turn, and answers then with these replies. */
async function startServer(way: Way, ...more: readonly Reply[]): Promise<ModelServer> {
  const replies = [...reading(way), ...more];
  return startModelServer({ script: () => replies.shift() ?? assert.fail('no reply') });
}

const declares = (request: RecordedRequest | undefined) =>
  toolsOn(request ?? assert.fail()).includes('recall_result');

function assertHeld(requests: readonly RecordedRequest[]): void {
  const report = auditPrefix(requests);
  assert.ok(report.held, formatAuditReport(report));
}

/** A session that began without the tool: its settings say nothing of it. */
async function sessionWithout(): Promise<{ store: ReturnType<typeof memoryStore>; id: string }> {
  const store = memoryStore();
  const session = await createSession(store);
  await session.begin({ onMessage: () => {}, onLost: () => {} });
  await session.append([
    { kind: 'turn', body: { number: 1, how: 'send' } },
    { kind: 'settings', body: { model: 'scripted', role: null } },
  ]);
  await session.end();
  return { store, id: session.id };
}

async function send(server: ModelServer, way: Way, session: Session, text: string): Promise<void> {
  const { talk } = await beginWay(server, way, { session });
  assert.equal(ended(await collect(talk.send(text))).reason, 'done');
}

describe('tools and system text over compactions', () => {
  for (const way of ways) {
    test(`stay byte for byte, in every process: ${way.name}`, async () => {
      const long = 'Some words about it. '.repeat(2_000);
      await using server = await startServer(
        way,
        ...[{ text: long }, { text: 'A and B.' }, { text: long }, { text: 'A and B again.' }],
        { text: 'Yes.' },
      );
      const store = memoryStore();
      const { id } = await createSession(store);
      const compact = async () => {
        const { talk } = await beginWay(server, way, { session: await openSession(store, id) });
        compactionIn(await collect(talk.compact()));
      };
      await send(server, way, await openSession(store, id), 'Read a.txt and b.txt.');
      await send(server, way, await openSession(store, id), 'Tell me more.');
      await compact();
      await send(server, way, await openSession(store, id), 'Tell me more.');
      await compact();
      await send(server, way, await openSession(store, id), 'Was that all?');
      const { requests } = server;
      assert.equal(requests.filter(isSummaryRequest).length, 2);
      assert.ok(requests.every(declares));
      assert.deepEqual(
        [...new Set(requests.map(fixedPart))],
        [fixedPart(requests[0] ?? assert.fail())],
      );
    });

    test(`promise 1: a session that began without the tool keeps its tools until it is compacted: ${way.name}`, async () => {
      await using server = await startServer(
        way,
        ...[{ text: 'Welcome.' }, { text: 'Forked.' }, { text: 'A and B.' }, { text: 'Yes.' }],
      );
      const { store, id } = await sessionWithout();
      await send(server, way, await openSession(store, id), 'Read a.txt and b.txt.');
      await send(server, way, await openSession(store, id), 'Thank you.');
      assertHeld(server.requests);
      await send(server, way, await forkSession(await openSession(store, id)), 'Thank you.');
      const { talk } = await beginWay(server, way, { session: await openSession(store, id) });
      compactionIn(await collect(talk.compact()));
      assert.ok(!server.requests.some(declares));
      await send(server, way, await openSession(store, id), 'Was that all?');
      assert.ok(declares(server.requests.at(-1)));
    });
  }

  for (const [name, fold] of [
    ['without other tools there is nothing to read again', { groups: [] }],
    ['the fold may not have the tool when the conversation begins', { tools: {} }],
  ] as const) {
    test(`${name}: no tool is declared before the first compaction`, async () => {
      const way = ways[0] ?? assert.fail();
      await using server = await startModelServer({ script: () => ({ text: 'Hello.' }) });
      const { talk, session } = await beginWay(server, way, { fold });
      await collect(talk.send('Hi.'));
      await send(server, way, session, 'Hi again.');
      assert.deepEqual(server.requests.map(declares), [false, false]);
    });
  }
});
