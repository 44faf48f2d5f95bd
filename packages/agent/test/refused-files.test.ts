import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SdkToolGroup } from '@toolfold/ai-sdk';
import {
  type ModelServer,
  type Reply,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import type { UserContent } from 'ai';
import { createSession, memoryStore, openSession } from '../src/sessions.ts';
import { begin, collect, ended } from './agent.test-support.ts';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** It breaks off behind its header, so that the API refuses each request with it. */
const DAMAGED = Buffer.from(PNG, 'base64').subarray(0, 45).toString('base64');
const LINE = '[image/png, 45 bytes: left out, because the provider refused it]';

const message = (data: string, text = 'What is this?'): UserContent => [
  { type: 'text', text },
  { type: 'file', data, mediaType: 'image/png', filename: 'shot.png' },
];

const eyes: SdkToolGroup = {
  groupId: 'mcp:eyes',
  toolNames: ['look'],
  resultFormat: 'mcp',
  loader: async () => [
    {
      name: 'look',
      inputSchema: { type: 'object' },
      execute: () => ({ content: [{ type: 'image', data: DAMAGED, mimeType: 'image/png' }] }),
    },
  ],
};

const isRefused = (raw: string) => raw.includes(`"${DAMAGED}"`);

const accepted = ({ requests }: ModelServer) =>
  requests.filter(({ raw }) => !isRefused(raw)).map(({ body }) => body.messages);

/** Each request that the API took extends the one before. */
function assertExtends(server: ModelServer): void {
  const all = accepted(server).map((messages) =>
    JSON.stringify(messages, withoutMarks).slice(0, -2),
  );
  for (const [at, text] of all.entries())
    assert.ok(text.startsWith((all[at - 1] ?? '').slice(0, -3)), `request ${at}`);
}

const withoutMarks = (key: string, value: unknown) => (key === 'cache_control' ? undefined : value);

describe('an image that the provider refuses', { timeout: 60_000 }, () => {
  test('ends one turn: later ones, also in another process, have a line in its place', async () => {
    await using server = await startModelServer({ script: () => ({ text: 'Yes.' }) });
    const store = memoryStore();
    const { talk } = begin(server, { agent: { session: await createSession(store, { id: 's' }) } });
    await collect(talk.send(message(PNG)));
    const end = ended(await collect(talk.send(message(DAMAGED))));
    assert.equal(end.reason, 'error');
    assert.match(end.error?.message ?? '', /Could not process image/);
    assert.equal(ended(await collect(talk.resume())).reason, 'done');
    assert.equal(ended(await collect(talk.send('And now?'))).reason, 'done');
    const session = await openSession(store, 's');
    const other = begin(server, { agent: { session } });
    assert.equal(ended(await collect(other.talk.send('Still?'))).reason, 'done');
    assert.equal(server.requests.filter(({ raw }) => isRefused(raw)).length, 1);
    const last = JSON.stringify(accepted(server).at(-1));
    // The image that it took before stays.
    assert.ok(last.includes(PNG) && last.includes(LINE) && !isRefused(last));
    assertExtends(server);
  });

  test('in a result of a tool is left out like one of the user', async () => {
    const replies: Reply[] = [
      { calls: [{ name: 'eyes__look', arguments: {} }] },
      ...[{ text: 'Now.' }, { text: 'Later.' }],
    ];
    let at = 0;
    await using server = await startModelServer({
      script: () => replies[at++] ?? { text: 'End.' },
    });
    const { talk } = begin(server, { fold: { groups: [eyes], strategy: 'eager' } });
    assert.match(ended(await collect(talk.send('Look.'))).error?.message ?? '', /process image/);
    assert.equal(ended(await collect(talk.send('And?'))).reason, 'done');
    assert.ok(JSON.stringify(accepted(server).at(-1)).includes(LINE));
    assertExtends(server);
  });

  test('does not stop a compaction', async () => {
    await using server = await startModelServer({ script: () => ({ text: 'Yes.' }) });
    const { talk } = begin(server);
    await collect(talk.send('One.'));
    await collect(talk.send(message(DAMAGED)));
    assert.equal(ended(await collect(talk.compact())).reason, 'done');
    assert.equal(ended(await collect(talk.send('And now?'))).reason, 'done');
  });
});
