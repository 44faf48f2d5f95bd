import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ENDPOINTS, type Endpoint } from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import {
  type ModelServer,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import type { UserContent } from 'ai';
import { createSession, memoryStore, openSession } from '../src/sessions.ts';
import { assertHeld, begin, collect, ended } from './agent.test-support.ts';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PDF = Buffer.from('%PDF-1.4\n/Type /Page\n').toString('base64');
const image = { type: 'file', data: PNG, mediaType: 'image/png', filename: 'shot.png' } as const;
const ASKED: UserContent = [{ type: 'text', text: 'What is this?' }, image];
const LINE = `[image/png, ${Buffer.from(PNG, 'base64').length} bytes: `;

const on = (name: string): Endpoint =>
  ENDPOINTS.find((one) => one.name === name) ?? assert.fail(name);
const script = () => ({ text: 'A dot.' });
const raws = ({ requests }: ModelServer) => requests.map(({ body }) => JSON.stringify(body));

describe('a message with files', () => {
  for (const format of ['anthropic', 'openai responses', 'openai chat'])
    test(`is sent to ${format}, and its prefix holds`, async () => {
      await using server = await startModelServer({ script });
      const { talk } = begin(server, { endpoint: on(format) });
      const events = await collect(talk.send(ASKED));
      assert.equal(ended(events).reason, 'done');
      const said = events.find(({ type }) => type === 'user');
      assert.deepEqual(said, { type: 'user', text: `What is this?\n${LINE}shot.png]` });
      await collect(talk.send('And now?'));
      assert.ok(raws(server).every((raw) => raw.includes(PNG)));
      assertHeld(server);
    });

  test('is the same in every form of the AI SDK', async () => {
    const bytes = new Uint8Array(Buffer.from(PNG, 'base64'));
    const forms: UserContent[] = [
      [{ type: 'image', image: PNG }],
      [{ type: 'image', image: bytes }],
      [{ type: 'image', image: bytes.buffer }],
      [{ type: 'image', image: new URL(`data:image/png;base64,${PNG}`) }],
      [{ type: 'file', data: `data:;base64,${PNG}`, mediaType: 'image' }],
      [{ type: 'file', data: { type: 'data', data: bytes }, mediaType: 'image/*' }],
      // The bytes say what it is.
      [{ type: 'file', data: PNG, mediaType: 'image/jpeg' }],
    ];
    for (const form of forms) {
      await using server = await startModelServer({ script });
      const { talk } = begin(server);
      await collect(talk.send(form));
      const expected = [{ type: 'file', data: PNG, mediaType: 'image/png' }];
      assert.deepEqual(talk.messages[0]?.content, expected);
    }
  });

  test('of text is text', async () => {
    await using server = await startModelServer({ script });
    const { talk } = begin(server);
    const data = Buffer.from('first line').toString('base64');
    await collect(talk.send([{ type: 'file', data, mediaType: 'text/csv', filename: 'a.csv' }]));
    const expected = [{ type: 'text', text: 'a.csv:\n\nfirst line' }];
    assert.deepEqual(talk.messages[0]?.content, expected);
  });

  test('is refused with the reason, and nothing is sent', async () => {
    await using server = await startModelServer({ script });
    const session = await createSession(memoryStore());
    const { talk } = begin(server, { agent: { session } });
    const file = (data: string | Uint8Array, mediaType = 'image/png', filename = 'x.png') =>
      [{ type: 'file', data, mediaType, filename }] as UserContent;
    const png = Buffer.from(PNG, 'base64');
    const table: [UserContent, RegExp][] = [
      [file(Buffer.concat([png, Buffer.alloc(30_000_000)])), /30,000,0\d\d bytes are more than/],
      [file('iVBORw0KGgo'.repeat(700_000).slice(0, 6_000_000)), /bytes are more than 3,750,000/],
      [
        Array(5)
          .fill(file(Buffer.concat([png, Buffer.alloc(3_700_000)])))
          .flat(),
        /of the message/,
      ],
      [file(Buffer.from('#!/bin/sh')), /x\.png is not sent: its bytes are of no image\/png/],
      [file(Buffer.from('plain'), 'image'), /are of no image/],
      [file(PDF.slice(4), 'application/pdf'), /no application\/pdf/],
      [file('not base64!'), /its data is no base64/],
      [file(PNG.slice(0, -3)), /its data is no base64/],
      [file(''), /it is empty/],
      [
        file(Buffer.from('ID3'), 'audio/mpeg', 'a\u001b[2J\nb.mp3'),
        /^a\S* ?\[?2?J? b\.mp3 .* takes no audio\/mpeg/,
      ],
      [[{ type: 'video', data: PNG }] as never, /no text, image or file/],
      [[null] as never, /no text, image or file/],
      [[], /empty/],
      [[{ type: 'text', text: ' ' }], /empty/],
      [7 as never, /no string/],
    ];
    for (const [content, message] of table)
      assert.throws(
        () => talk.send(content),
        (error: Error) => message.test(error.message),
        String(message),
      );
    assert.deepEqual([server.requests.length, session.entries.length], [0, 0]);
  });
});

describe('a model that takes no images', () => {
  const seeing = on('openai chat');
  const blind: Endpoint = { ...seeing, model: (url) => seeing.model(url, 'qwen3') };

  test('refuses one with a sentence, unless the settings say that it sees', async () => {
    await using server = await startModelServer({ script });
    const { talk } = begin(server, { endpoint: blind });
    const message =
      'shot.png is not sent: openai/qwen3 takes no image/png in a message. ' +
      'Use a model that sees images. If this one does, say so: models["openai/qwen3"].images = true.';
    assert.throws(() => talk.send(ASKED), { message });
    const of = (images: boolean) => ({ models: { 'openai/qwen3': { images } } });
    const told = begin(server, { endpoint: blind, agent: of(true) });
    assert.equal(ended(await collect(told.talk.send(ASKED))).reason, 'done');
    assert.ok(raws(server)[0]?.includes(PNG));
    const models = { 'openai/gpt-4.1': { images: false } };
    const other = begin(server, { endpoint: seeing, agent: { models } });
    assert.throws(() => other.talk.send(ASKED), /takes no image\/png/);
  });

  test('reads a line in the place of images that were sent before', async () => {
    await using server = await startModelServer({ script });
    const store = memoryStore();
    const { talk } = begin(server, { agent: { session: await createSession(store, { id: 's' }) } });
    await collect(talk.send(ASKED));
    const later = async (endpoint: Endpoint) =>
      begin(server, { endpoint, agent: { session: await openSession(store, 's') } }).talk;
    const other = await later(blind);
    assert.equal(ended(await collect(other.send('Go on.'))).reason, 'done');
    await other.ask('What was that?');
    await collect(other.compact());
    const lines = raws(server).slice(1);
    assert.equal(lines.length, 3);
    for (const raw of lines) {
      assert.ok(!raw.includes(PNG));
      assert.ok(raw.includes(`${LINE}it cannot be shown to you]`));
    }
  });

  test('and a model that sees gets them again', async () => {
    await using server = await startModelServer({ script });
    const store = memoryStore();
    const { talk } = begin(server, { agent: { session: await createSession(store, { id: 's' }) } });
    await collect(talk.send(ASKED));
    for (const endpoint of [blind, seeing]) {
      const session = await openSession(store, 's');
      await collect(begin(server, { endpoint, agent: { session } }).talk.send('Go on.'));
    }
    assert.deepEqual(
      raws(server).map((raw) => raw.includes(PNG)),
      [true, false, true],
    );
  });
});
