import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { resultsOn } from '@toolfold/ai-sdk/test/wire.test-support.ts';
import {
  type ModelServer,
  type Reply,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import { type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { createRecall } from '../src/compaction/recall.ts';
import type { Agent } from '../src/options/options.ts';
import {
  createSession,
  exportSession,
  forkSession,
  importSession,
  memoryStore,
  openSession,
} from '../src/sessions.ts';
import { collect, ended } from './agent.test-support.ts';
import { beginWay, compactionIn, fileText, WAYS } from './compact.test-support.ts';

const WAY = WAYS.find(({ name }) => name === 'eager on openai-compatible') ?? assert.fail();

/** An answer that reads a file. The endpoint uses the id of its call again in each answer. */
const reads = (path: string): Reply => ({
  calls: [{ id: 'call_0', name: 'files__read', arguments: { path } }],
});
const recalls = (id: string): Reply => ({
  calls: [{ id: 'call_1', name: 'recall_result', arguments: { id, limit: 60 } }],
});

/** A server that answers as the test goes on. */
async function startServer(): Promise<{ server: ModelServer; replies: Reply[] }> {
  const replies: Reply[] = [];
  const script = () => replies.shift() ?? assert.fail('no reply');
  return { server: await startModelServer({ script }), replies };
}

/** Sends a message, and approves what is asked. */
async function finish(talk: Agent, text: string): Promise<void> {
  let events = await collect(talk.send(text));
  while (ended(events).reason === 'approval') {
    const yes = talk.pending.map(({ approvalId }) => [approvalId, { approved: true }]);
    events = await collect(talk.answer(Object.fromEntries(yes)));
  }
  assert.equal(ended(events).reason, 'done');
}

/** The digests in the last request, with the path of the file that each one is of. */
function digestsOn({ requests }: ModelServer): Record<string, string> {
  const raw = JSON.stringify(requests.at(-1)?.body).replaceAll('\\', '');
  const found = raw.matchAll(/"digest":"(\w+\.txt).*?"id":"([^"]*)"/gs);
  return Object.fromEntries([...found].map(([, path = '', id = '']) => [path, id]));
}

/** The start of the text that the last request shows of a recalled result. */
const recalledOn = ({ requests }: ModelServer): string | undefined =>
  /"text":"(\w+\.txt)/.exec(
    resultsOn(requests.at(-1) ?? assert.fail())
      .map(({ text }) => text)
      .findLast((text) => text.includes('"offset"')) ?? '',
  )?.[1];

describe('calls of several answers with one id', () => {
  for (const mode of ['never', 'always'] as const) {
    test(`each digest names its result, also in a fork, an import and after the next compaction: approvals ${mode}`, async () => {
      const { server, replies } = await startServer();
      await using _ = server;
      const store = memoryStore();
      const { id } = await createSession(store);
      const open = async (session = openSession(store, id)) =>
        (await beginWay(server, WAY, { session: await session, agent: { approvals: { mode } } }))
          .talk;
      replies.push(reads('a.txt'), reads('b.txt'), { text: 'Read.' }, { text: 'Welcome.' });
      const talk = await open();
      await finish(talk, 'Read a.txt and b.txt.');
      await finish(talk, 'Thank you.');
      replies.push({ text: 'A and B were read.' });
      compactionIn(await collect(talk.compact()));
      replies.push({ text: 'Yes.' });
      await finish(talk, 'Was that all?');
      const digests = digestsOn(server);
      assert.deepEqual(Object.keys(digests), ['a.txt', 'b.txt']);

      assert.equal(new Set(Object.values(digests)).size, 2);

      /** Reads both results again. */
      const check = async (one: Agent) => {
        for (const [path, digest] of Object.entries(digests)) {
          replies.push(recalls(digest), { text: 'I see.' });
          await finish(one, 'Look.');
          assert.equal(recalledOn(server), path, digest);
        }
      };
      await check(await open(forkSession(await openSession(store, id))));
      const there = memoryStore();
      const lines = exportSession(await openSession(store, id));
      await check(await open(openSession(there, await importSession(there, lines))));

      replies.push(reads('c.txt'), { text: 'Read.' }, { text: 'Welcome.' });
      await finish(talk, 'Read c.txt.');
      await finish(talk, 'Thank you.');
      replies.push({ text: 'A, B and C were read.' }, { text: 'Yes.' });
      compactionIn(await collect(talk.compact()));
      await finish(talk, 'Was that all?');
      assert.ok(digestsOn(server)['c.txt']);
      await check(await open());
    });
  }
});

describe('a result that holds a picture', () => {
  test('its digest and what is read again say so', async () => {
    const { server, replies } = await startServer();
    await using _ = server;
    const png = Buffer.from(`\x89PNG\r\n\x1a\n${'x'.repeat(12_337)}`, 'latin1').toString('base64');
    const tools = {
      ...createRecall().tools,
      look: tool({
        inputSchema: z.object({}),
        execute: () => fileText('a.txt'),
        toModelOutput: ({ output }) => ({
          type: 'content',
          value: [
            { type: 'text', text: output },
            { type: 'file', data: { type: 'data', data: png }, mediaType: 'image/png' },
          ],
        }),
      }),
    } as unknown as ToolSet;
    const { talk } = await beginWay(server, WAY, { fold: { tools } });
    replies.push({ calls: [{ name: 'look', arguments: {} }] }, { text: 'I see.' }, { text: 'Ok.' });
    await finish(talk, 'Look.');
    await finish(talk, 'Thank you.');
    replies.push({ text: 'It was looked at.' });
    compactionIn(await collect(talk.compact()));
    replies.push({ text: 'Yes.' });
    await finish(talk, 'Was that all?');
    const { 'a.txt': id } = digestsOn(server);
    replies.push({ calls: [{ name: 'recall_result', arguments: { id, offset: 10_000 } }] });
    replies.push({ text: 'I see.' });
    await finish(talk, 'Look again.');
    const last = server.requests.at(-1) ?? assert.fail();
    assert.match(last.raw.replaceAll('\\', ''), /"files":\["image\/png"\]/);
    const [{ text } = assert.fail()] = resultsOn(last);
    assert.match(
      text,
      /\[image\/png, 12,345 bytes: not shown here; call the tool again to see it\]/,
    );
  });
});
