// test: slow
import assert from 'node:assert/strict';
import { webScene } from '../packages/toolfold/test/web-server/web.test-support.ts';
import { pageTest, Tab } from './page.test-support.ts';

pageTest(
  'twelve tabs share one stream, and another one leads when the leader is closed',
  async (context, browser) => {
    const scene = await webScene(context, [{ text: 'One.' }, { text: 'Two.' }]);
    const server = await scene.serve();
    const within = await browser.newContext();
    const first = await Tab.open(within, server.url);
    await first.page.getByRole('textbox', { name: 'Message' }).waitFor();
    const others: Tab[] = [];
    for (let count = 0; count < 11; count += 1) others.push(await Tab.open(within, server.url));
    await first.say('First.');
    for (const tab of [first, ...others]) await tab.shows('One.');
    assert.deepEqual(
      [first, ...others].map(({ streams }) => streams),
      [1, ...others.map(() => 0)],
    );
    await first.page.close();
    const [second] = others;
    assert.ok(second);
    await second.say('Second.');
    for (const tab of others) await tab.shows('Two.');
    assert.equal(
      others.reduce((sum, { streams }) => sum + streams, 0),
      1,
    );
    // A closed tab cancels nothing, and none of them has failed.
    for (const tab of others) tab.isClean();
  },
);

pageTest(
  'four sessions stream, and a fifth one is shown in place of the first',
  async (context, browser) => {
    const scene = await webScene(context, [{ text: 'Answer.' }]);
    const server = await scene.serve();
    const within = await browser.newContext();
    const tabs = [await Tab.open(within, server.url)];
    for (let count = 0; count < 4; count += 1) {
      const { session } = JSON.parse(
        (await server.ask('/api/sessions', { method: 'POST', body: '{}' })).text,
      );
      tabs.push(await Tab.open(within, `http://127.0.0.1:${server.port}/#session=${session}`));
      if (count < 3) await tabs.at(-1)?.page.getByRole('textbox', { name: 'Message' }).waitFor();
    }
    const [first, last] = [tabs[0], tabs.at(-1)];
    assert.ok(first && last);
    await last.page.getByRole('button', { name: 'Show here' }).click();
    await last.say('Here.');
    await last.shows('Answer.');
    await first.page.getByRole('button', { name: 'Show here' }).waitFor();
  },
);
