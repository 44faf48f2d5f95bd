// test: slow
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import type { Reply } from '@toolfold/testing/internal/doubles/model-server.ts';
import { KEY, limited, MODEL, type Page, type WebServer, webScene } from './web.test-support.ts';

/** Enough of the key to tell it from other texts. */
const BEGINNING = KEY.slice(0, 12);

const SCRIPT: readonly Reply[] = [
  {
    ...{ text: `<think>It is ${KEY}, I think.</think>I use ${KEY} for that. `, chunkSize: 3 },
    calls: [
      DISPATCH.call('files__write_note', { [KEY]: [`text ${KEY}`] }),
      DISPATCH.call('files__fail', { text: KEY }),
      DISPATCH.call('files__large', { text: `${KEY} ${'x'.repeat(70_000)} ${KEY}` }),
      DISPATCH.call(`files__${KEY}`, {}),
    ],
  },
];

/** What the provider says to all that follows. */
const REFUSAL: Reply = {
  error: {
    status: 400,
    body: {
      type: 'error',
      error: { type: 'invalid_request_error', message: `${KEY} is not valid` },
    },
  },
};

/** Asks for all that is fetched by address. */
async function allParts(server: WebServer, page: Page): Promise<string> {
  const { turns } = page.now;
  const calls = turns.flatMap(({ blocks }) => blocks.filter((block) => block.kind === 'call'));
  const addresses = calls.flatMap(({ id }) =>
    ['output', 'arguments'].map((of) => `value?address=${encodeURIComponent(`${of}/${id}`)}`),
  );
  const paths = [
    ...['turns?before=9', 'bars?before=9', 'export?', 'map?', ...addresses],
    ...page.now.bars.map(({ request }) => `prompt?request=${request}`),
    ...['write_note', '[redacted]'].map((name) => `tool?name=files__${name}`),
  ];
  const answers = await Promise.all([
    ...paths.map((path) => server.ask(`/api/${path}&session=${page.session}`)),
    server.ask('/api/sessions?words=text'),
    server.ask('/api/sessions'),
  ]);
  return answers.map(({ text }) => text).join('\n');
}

test(
  'a key that is planted in each field is nowhere on the wire, live and opened again',
  limited,
  async (context) => {
    let requests = 0;
    const scene = await webScene(context, () => SCRIPT[requests++] ?? REFUSAL, {
      tools: [
        { name: 'write_note' },
        { name: 'fail', answer: { isError: true, content: [{ type: 'text', text: `no ${KEY}` }] } },
        { name: 'large' },
      ],
      toolfold: { strategy: 'dispatch', roles: { [KEY]: {} }, models: { [MODEL]: {} } },
      servers: () => ({
        // Its name, what it writes to stderr and its command are shown with the reason.
        [KEY]: { command: process.execPath, args: ['-e', `throw new Error('${KEY}')`, KEY] },
      }),
    });
    const server = await scene.serve('--wait', '5');
    const page = await server.page();
    const files = [{ name: `${KEY}.txt`, mediaType: 'text/plain', data: btoa(`text ${KEY}`) }];
    const said = await server.send({ type: 'say', id: 'm1', text: `text ${KEY}`, files });
    assert.equal(said.ok, true);
    await server.send({ type: 'say', id: 'm2', text: `later ${KEY}`, when: 'after' });
    for (let at = 0; at < 3; at += 1) await page.answer('once');
    await page.shows(({ turns }) => turns[0]?.end?.reason === 'error');
    // The server may fail later than the turn.
    await page.shows(({ notes }) => notes.some(({ text }) => text.includes('is not ready')));
    await page.shows(({ servers }) => servers.some(({ state }) => state === 'failed'));
    await server.send({ type: 'rename', title: `Title ${KEY}` });
    await page.shows(({ session }) => session.title.startsWith('Title'));
    await server.send({ type: 'quick', id: 'q', text: `What is ${KEY}?`, withConversation: false });
    await page.shows(({ quick }) => quick[0]?.state === 'failed');
    const refusals = await Promise.all([
      server.send({ type: 'choose', role: `no ${KEY}` }),
      server.send({ type: 'server', name: `no ${KEY}`, on: false }),
    ]);
    const live = page.wire + (await allParts(server, page)) + JSON.stringify(refusals);
    await server.kill();
    const again = await scene.serve('--wait', '5');
    const back = await again.page(server.session);
    const reopened = back.wire + (await allParts(again, back));
    for (const wire of [live, reopened]) {
      const at = wire.indexOf(BEGINNING);
      assert.equal(at, -1, wire.slice(Math.max(0, at - 300), at + 60));
    }
    // What was hidden stood where it was planted.
    const { turns, session } = back.now;
    const { notes, servers } = page.now;
    const shown = JSON.stringify(turns);
    for (const place of [
      /"user":"text \[redacted\].*\[redacted\]\.txt.*text \[redacted\]/,
      /"kind":"reasoning"[^}]*It is \[redacted\], I think/,
      /I use \[redacted\] for that/,
      /"\[redacted\]":\["text \[redacted\]"\]/,
      /"isError":true,"content":\[\{"type":"text","text":"no \[redacted\]"/,
      /"large":\{"address":"output\/[^}]*"beginning":"[^}]*\[redacted\]/,
      /\[redacted\] is not valid/,
    ])
      assert.match(shown, place);
    assert.match(JSON.stringify(notes), /\[redacted\] is not ready: [^"]*\[redacted\]/);
    assert.ok(
      servers.some(({ name, reason }) => name === '[redacted]' && reason?.includes('[redacted]')),
    );
    assert.equal(session.title, 'Title [redacted]');
    assert.ok(session.roles.includes('[redacted]'));
    assert.match(live, /later \[redacted\]/);
    assert.match(live, /What is \[redacted\]\?/);
  },
);
