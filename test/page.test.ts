// test: slow
import assert from 'node:assert/strict';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import type { Reply } from '@toolfold/testing/internal/doubles';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import { webScene } from '../packages/toolfold/test/web-server/web.test-support.ts';
import { demoServer, pageTest, Tab, WIDE } from './page.test-support.ts';

/** Answers by what a request holds: one for a title may come between others. */
function answers(texts: Readonly<Record<string, string>>): (request: RecordedRequest) => Reply {
  return ({ body }) => {
    const sent = JSON.stringify(body);
    return { text: Object.entries(texts).find(([words]) => sent.includes(words))?.[1] ?? 'One.' };
  };
}

pageTest('a message, an approval and its answer in the demo', async (context, browser) => {
  const server = await demoServer(context);
  const tab = await Tab.open(browser, server.url);
  const { page } = tab;
  await page.setViewportSize(WIDE);
  await tab.say('Do your task.');
  await page.getByRole('button', { name: 'Once' }).waitFor();
  assert.equal(await page.title(), '(1) Do your task.');
  // The token is in no address that is copied or kept.
  assert.equal(new URL(page.url()).hash, `#session=${server.session}`);
  const card = page.getByRole('article', { name: /git__git_commit/ });
  // What is for good is asked twice, and can be taken back.
  await card.getByText('More', { exact: true }).click();
  await card.getByRole('button', { name: /^Always allow git__git_commit \(saved/ }).click();
  await card.getByRole('button', { name: 'No, go back' }).click();
  await card.getByRole('button', { name: 'Once' }).click();
  await tab.shows(/^Done: haiku\.txt is committed/);
  assert.equal(await page.title(), 'Do your task.');
  await page.getByRole('figure').getByText('the prompt keeps its shape.').waitFor();
  await card.getByRole('button', { name: /git__git_commit/ }).click();
  await card
    .getByRole('region', { name: /^Arguments/ })
    .getByText('Add a haiku about')
    .waitFor();
  // A bar for each request, and the same as a table.
  assert.equal(await page.getByRole('button', { name: /^r\d/ }).count(), 8);
  await page.getByRole('button', { name: 'Table' }).click();
  assert.equal(await page.getByRole('rowheader', { name: /^r\d/ }).count(), 8);
  // The page is the same when it is loaded again.
  await page.reload();
  await tab.shows(/^Done: haiku\.txt is committed/);
  // Without tools the next request has none.
  const light = page.getByRole('button', { name: /^Tools on/ });
  await light.click();
  await page.getByRole('button', { name: 'Tools off' }).waitFor();
  assert.equal(
    await page.getByRole('button', { name: 'Tools off' }).getAttribute('aria-pressed'),
    'false',
  );
  tab.isClean();
});

pageTest('what a server and a model write is shown and never run', async (context, browser) => {
  const hostile = [
    '<script>document.title = "owned"</script> <img src=x onerror="document.title=\'owned\'">',
    '[one](javascript:document.title="owned") [two](data:text/html,x) [three](https://example.com/a)',
    '![image](https://images.example.com/x.png)',
    '<svg onload="document.title=\'owned\'"></svg>',
    '```html\n<b onclick="x">bold</b>\n```',
  ].join('\n\n');
  const svg = { type: 'image', mimeType: 'image/svg+xml', data: btoa('<svg onload="alert(1)"/>') };
  const content = [{ type: 'text', text: hostile }, svg];
  const scene = await webScene(
    context,
    [
      { calls: [DISPATCH.call('files__read_note', { path: '<b>name</b>' })] },
      { text: `${hostile}\n\nThe end.` },
    ],
    {
      tools: [{ name: 'read_note', answer: { content }, annotations: { readOnlyHint: true } }],
      toolfold: { strategy: 'dispatch', approvals: { allow: ['mcp:files/*'] } },
    },
  );
  const server = await scene.serve();
  const tab = await Tab.open(browser, server.url);
  await tab.say('<img src=x onerror="document.title=\'owned\'">');
  await tab.shows('The end.');
  const { page } = tab;
  await page.getByRole('button', { name: /files__read_note/ }).click();
  await page.getByRole('article').getByText('[image/svg+xml]').waitFor();
  const links = page.getByRole('article').or(page.locator('.markdown')).getByRole('link');
  assert.deepEqual(
    await links.evaluateAll((all) =>
      all.map((one) => [one.getAttribute('href'), one.getAttribute('rel')]),
    ),
    [['https://example.com/a', 'noopener noreferrer']],
  );
  assert.deepEqual(await page.locator('.chat img, .chat script, .chat svg[onload]').count(), 0);
  assert.doesNotMatch(await page.title(), /owned$/);
  tab.isClean();
});

pageTest('what is typed while the server is down arrives once', async (context, browser) => {
  const scene = await webScene(context, answers({ 'Second.': 'Two.' }));
  const server = await scene.serve();
  const tab = await Tab.open(browser, server.url);
  await tab.say('First.');
  await tab.shows('One.');
  await server.kill();
  await tab.page.getByText('The connection to toolfold web is lost').waitFor();
  await tab.say('Second.');
  await tab.page.getByText('sending Second.').waitFor();
  const again = await scene.serve('--port', String(server.port));
  await tab.shows('Two.');
  const state = await (await again.page(server.session)).shows(
    ({ session }) => session.state === 'idle',
  );
  assert.deepEqual(
    state.turns.map(({ user }) => user),
    ['First.', 'Second.'],
  );
  tab.isClean();
});

pageTest(
  'a message is edited in a fork, and a quick question is no part of the conversation',
  async (context, browser) => {
    const scene = await webScene(
      context,
      answers({ 'Another first.': 'Other.', 'What is it?': 'Beside it.' }),
    );
    const server = await scene.serve();
    const tab = await Tab.open(browser, server.url);
    const { page } = tab;
    await page.setViewportSize(WIDE);
    await tab.say('First.');
    await tab.shows('One.');
    await page.getByRole('button', { name: 'Quick question' }).click();
    await page.getByRole('textbox', { name: 'Quick question' }).fill('What is it?');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Quick questions' }).getByText('Beside it.').waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.waitForURL((url) => !url.hash.includes(server.session));
    const box = page.getByRole('textbox', { name: 'Message' });
    await page.waitForFunction(() => document.querySelector('textarea')?.value === 'First.');
    await box.fill('Another first.');
    await page.keyboard.press('Enter');
    await tab.shows('Other.');
    assert.deepEqual(await page.getByRole('region', { name: /^Turn/ }).count(), 1);
    tab.isClean();
  },
);
