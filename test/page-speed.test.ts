// test: slow, alone
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Patch, WireState } from 'toolfold/internal/web-wire';
import { pageTest, Tab } from './page.test-support.ts';
import { root } from './tree.ts';

const folder = join(root, 'packages/toolfold/page-build');
const NOTHING = {
  ...{ requests: 1, input: 10, cacheRead: 0, cacheWrite: 0, output: 5 },
  ...{ cost: 0, unpriced: 1, estimated: 0 },
};
const PARAGRAPH =
  'Some **bold** words, `code` and a [link](https://example.com) in a paragraph.\n\n';

/** A conversation with 250 turns: 500 messages. */
function longState(): WireState {
  const turn = (number: number) => ({
    ...{ number, user: `Message ${number}`, step: 1, notices: [], usage: NOTHING },
    blocks: [{ kind: 'text', step: 1, text: PARAGRAPH.repeat(4) }],
    ...(number < 249 && { end: { reason: 'stop' } }),
  });
  return {
    version: 1,
    session: {
      ...{ id: 'a', title: 'Long', folder: '/', isStored: true, isDemo: false, state: 'running' },
      ...{ canCancel: true, canContinue: false, models: [], role: null, roles: [] },
      ...{ currency: 'USD', wayBack: '', isConfigChanged: false },
    },
    turns: Array.from({ length: 250 }, (_, number) => turn(number)),
    ...{ earlier: 0, questions: [], queue: [], bars: [], earlierBars: 0, servers: [] },
    ...{ quick: [], notes: [], home: { sessions: [], waiting: [] } },
    indicator: { areToolsOn: true, label: 'on', tooltip: '', source: 'plan', parts: [] },
  } as unknown as WireState;
}

pageTest(
  '200 deltas a second into 500 messages are drawn without a long task',
  async (context, browser) => {
    const isBegun = Promise.withResolvers<void>();
    const isSent = Promise.withResolvers<void>();
    const state = longState();
    const words = PARAGRAPH.repeat(20).match(/.{1,12}/gs) ?? [];
    const server = createServer(async (request, answer) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
      if (pathname === '/running') {
        const proof = createHmac('sha256', 't').update(`1:${searchParams.get('nonce')}`);
        return answer.writeHead(200, { 'toolfold-port': '1' }).end(proof.digest('base64url'));
      }
      if (pathname === '/api/stream') {
        answer.writeHead(200, { 'content-type': 'text/event-stream' });
        answer.write(`event: state\ndata: ${JSON.stringify(state)}\n\n`);
        await isBegun.promise;
        for (let count = 0; count < 600; count += 1) {
          const patch: Patch = [
            ['+', ['turns', 249, 'blocks', 0, 'text'], words[count % words.length] ?? ''],
          ];
          answer.write(`event: patch\ndata: ${JSON.stringify(patch)}\n\n`);
          await pause(5);
        }
        answer.write(
          `event: patch\ndata: ${JSON.stringify([['+', ['turns', 249, 'blocks', 0, 'text'], '\n\nThe very end.']])}\n\n`,
        );
        isSent.resolve();
        return;
      }
      if (pathname.startsWith('/api/')) return answer.writeHead(404).end('none');
      const type = pathname.endsWith('.js')
        ? 'text/javascript'
        : pathname.endsWith('.css')
          ? 'text/css'
          : 'text/html';
      answer.writeHead(200, { 'content-type': type });
      answer.end(readFileSync(join(folder, pathname === '/' ? 'index.html' : pathname)));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    context.after(() => server.closeAllConnections());
    context.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    const tab = await Tab.open(browser, `http://127.0.0.1:${port}/#token=t&session=a`);
    const { page } = tab;
    await page.getByText('You: Message 249').waitFor();
    await pause(500);
    await page.evaluate(() => {
      const seen = { tasks: [] as number[], away: 0 };
      Object.assign(globalThis, { seen });
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) seen.tasks.push(duration);
      }).observe({ type: 'longtask' });
      const scroller = document.querySelector('.scroller');
      const look = () => {
        const away = scroller
          ? scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight
          : 0;
        seen.away = Math.max(seen.away, away);
        requestAnimationFrame(() => setTimeout(look));
      };
      look();
    });
    isBegun.resolve();
    // A search for a text would be a long task itself.
    await isSent.promise;
    await pause(500);
    const { tasks, away } = await page.evaluate(
      () => (globalThis as unknown as { seen: { tasks: number[]; away: number } }).seen,
    );
    assert.deepEqual(tasks, [], 'tasks over 50 ms');
    assert.ok(away < 48, `the end was ${away} px away`);
    await tab.shows('The very end.');
    // Who has scrolled up stays there.
    await page.mouse.move(300, 300);
    await page.mouse.wheel(0, -2_000);
    await page.getByRole('button', { name: /new below/ }).click();
    await page.getByRole('button', { name: /new below/ }).waitFor({ state: 'detached' });
  },
);
