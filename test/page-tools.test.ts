// test: slow
import { demoServer, pageTest, Tab, WIDE } from './page.test-support.ts';

pageTest(
  'tools are pruned from the page: a preview, the file, and undo',
  async (context, browser) => {
    const server = await demoServer(context);
    const tab = await Tab.open(browser, server.url);
    const { page } = tab;
    await page.setViewportSize(WIDE);
    const tools = page.getByRole('region', { name: 'Tools', exact: true });
    await tools.getByText('git ready').click();
    await tools
      .getByRole('combobox', { name: 'Exposure of git__git_commit' })
      .selectOption('hidden');
    await tools.getByRole('button', { name: 'Preview' }).click();
    await tools.getByText('"git__git_commit": "hidden"').waitFor();
    await tools.getByRole('button', { name: /^Write to/ }).click();
    await page.getByText('The configuration has changed.').waitFor();
    await tools.getByRole('button', { name: 'Undo the last change' }).click();
    await tools
      .getByRole('button', { name: 'Undo the last change' })
      .waitFor({ state: 'detached' });
    tab.isClean();
  },
);
