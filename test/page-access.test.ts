// test: slow
import assert from 'node:assert/strict';
import { demoServer, NARROW, pageTest, Tab, WIDE } from './page.test-support.ts';

pageTest('no view violates WCAG 2.2 AA: wide, narrow, light and dark', async (context, browser) => {
  const server = await demoServer(context);
  const tab = await Tab.open(browser, server.url);
  const { page } = tab;
  await page.setViewportSize(WIDE);
  const check = async (view: string) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      assert.deepEqual(await tab.violations(), [], `${view}, ${colorScheme}`);
    }
  };
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  await check('empty');
  await tab.say('Do your task.');
  await page.getByRole('button', { name: 'Once' }).waitFor();
  await page.getByText('More', { exact: true }).click();
  await page.getByRole('button', { name: /^Always allow git__git_commit \(saved/ }).click();
  await page.getByText('1 waiting', { exact: true }).click();
  await check('asked');
  await page.getByRole('button', { name: 'Yes, always' }).click();
  await tab.shows(/^Done: haiku\.txt is committed/);
  await page.getByRole('button', { name: /filesystem__read_text_file/ }).click();
  await page.getByRole('button', { name: /^r7/ }).click();
  await page.getByText('Menu', { exact: true }).click();
  await check('done');
  await page.getByText('Menu', { exact: true }).click();
  await page.getByRole('button', { name: 'Table' }).click();
  await check('table');
  await page.setViewportSize(NARROW);
  for (const name of ['Chat', 'Sessions', 'Prompt', 'Tools']) {
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name }).click();
    await check(`narrow, ${name}`);
    const [width, all] = await page.evaluate(() => [
      innerWidth,
      document.documentElement.scrollWidth,
    ]);
    assert.equal(all, width, `${name} fits`);
  }
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await check('keys');
  tab.isClean();
});

pageTest(
  'the keyboard alone reaches the message, the approval and the panels',
  async (context, browser) => {
    const server = await demoServer(context);
    const tab = await Tab.open(browser, server.url);
    const { page } = tab;
    await page.setViewportSize(WIDE);
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await page.keyboard.type('Do your task.');
    await page.keyboard.press('Enter');
    const once = page.getByRole('button', { name: 'Once' });
    await once.waitFor();
    await page.keyboard.press('Shift+Tab');
    for (let steps = 0; steps < 40; steps += 1) {
      if (await once.evaluate((button) => button === document.activeElement)) break;
      await page.keyboard.press('Shift+Tab');
    }
    await page.keyboard.press('Enter');
    await tab.shows(/^Done: haiku\.txt is committed/);
  },
);
