// test: slow
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { webScene } from '../packages/toolfold/test/web-server/web.test-support.ts';
import { pageTest, Tab } from './page.test-support.ts';

const kept = (tab: Tab) => tab.page.evaluate(() => localStorage.getItem('toolfold-token'));
const WRONG = 'z'.repeat(43);

pageTest('a link with another token logs no tab out', async (context, browser) => {
  const scene = await webScene(context, () => ({ text: 'An answer.' }));
  const server = await scene.serve();
  const within = await browser.newContext();
  const tab = await Tab.open(within, server.url);
  await tab.page.getByRole('textbox', { name: 'Message' }).waitFor();
  for (const token of [WRONG, '']) {
    const other = await Tab.open(within, `http://127.0.0.1:${server.port}/#token=${token}`);
    await other.page.getByRole('textbox', { name: 'Message' }).waitFor();
    assert.doesNotMatch(other.page.url(), /token/);
    await tab.page.evaluate((hash) => {
      location.hash = hash;
    }, `token=${token}`);
    await tab.page.waitForURL((url) => !url.hash.includes('token'));
  }
  assert.equal(await kept(tab), server.token);
  await tab.say('Are you there?');
  await tab.shows('An answer.');
  // The address that is printed lets a page in that has a wrong token.
  await tab.page.evaluate((token) => localStorage.setItem('toolfold-token', token), WRONG);
  await tab.page.reload();
  await tab.page
    .getByText(/does not know the token/)
    .first()
    .waitFor();
  await tab.page.goto(server.url);
  await tab.shows('An answer.');
  assert.equal(await kept(tab), server.token);
});

pageTest('the token is not sent to another program on the port', async (context, browser) => {
  const scene = await webScene(context, () => ({ text: 'An answer.' }));
  const server = await scene.serve();
  const real = await scene.serve();
  const tab = await Tab.open(browser, server.url);
  await tab.page.getByRole('textbox', { name: 'Message' }).waitFor();
  await server.stop('SIGTERM');
  const tokens: unknown[] = [];
  let nonces = 0;
  // It passes the nonce on to another server of the same user.
  const thief = createServer(async ({ url = '', headers }, answer) => {
    if (headers.authorization !== undefined) tokens.push(headers.authorization);
    if (!url.startsWith('/running')) return answer.writeHead(503).end();
    nonces += 1;
    const relayed = await fetch(`http://127.0.0.1:${real.port}${url}`);
    const claimed = nonces % 2 === 0 ? server.port : real.port;
    answer.writeHead(200, { 'toolfold-port': `${claimed}` }).end(await relayed.text());
  }).listen(server.port, '127.0.0.1');
  await once(thief, 'listening');
  context.after(() => thief.close());
  await tab.say('A secret.');
  while (nonces < 4) await pause(50);
  thief.closeAllConnections();
  thief.close();
  await once(thief, 'close');
  assert.deepEqual(tokens, []);
  await scene.serve('--port', String(server.port));
  await tab.page.locator('p.link').waitFor({ state: 'detached' });
  await tab.say('A question.');
  await tab.shows('An answer.');
});

const TEXTS = {
  'a line of 1 MB': 'A'.repeat(1_000_000),
  'marks without an end': '*a_'.repeat(5_000),
  'deep quotes': `${'>'.repeat(20_000)}x`,
  'a code block': `\`\`\`js\n${'A'.repeat(100_000)}\n\`\`\``,
};

for (const [name, text] of Object.entries(TEXTS))
  pageTest(`an answer does not freeze the tab: ${name}`, async (context, browser) => {
    const scene = await webScene(context, () => ({ text }));
    const server = await scene.serve();
    const tab = await Tab.open(browser, server.url);
    const { page } = tab;
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await page.evaluate(() => {
      Object.assign(globalThis, { tasks: [] });
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries())
          (globalThis as unknown as { tasks: number[] }).tasks.push(duration);
      }).observe({ type: 'longtask' });
    });
    await tab.say('Write.');
    await page
      .getByText(/1 request ·/)
      .first()
      .waitFor();
    const all = page.getByRole('button', { name: /^Show all/ });
    if ((await all.count()) > 0) await all.first().click();
    await pause(500);
    const tasks = await page.evaluate(() => (globalThis as unknown as { tasks: number[] }).tasks);
    assert.ok(Math.max(0, ...tasks) < 1_500, `${Math.max(...tasks)} ms`);
  });
