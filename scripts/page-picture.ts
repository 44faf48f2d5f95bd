/**
 * Takes docs/page-light.png and docs/page-dark.png: the page of `toolfold web --demo` while it asks for an approval.
 * Command, servers and browser run here. It needs Chromium. Run: `npm run picture:page`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const COMMAND = fileURLToPath(new URL('../packages/toolfold/bin/toolfold.js', import.meta.url));
const SIZE = { width: 1280, height: 800 };
const MESSAGE = 'Make a repository with a haiku about folded tools, and remember it.';

const home = mkdtempSync(join(tmpdir(), 'toolfold-picture-'));
const command = spawn(process.execPath, [COMMAND, 'web', '--demo', '--no-open', '--port', '0'], {
  env: { ...process.env, HOME: home },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const [url] = await once(createInterface({ input: command.stdout }), 'line');
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  const page = await browser.newPage({ viewport: SIZE });
  await page.goto(String(url));
  await page.getByRole('textbox', { name: 'Message' }).fill(MESSAGE);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Once' }).waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    writeFileSync(
      new URL(`../docs/page-${colorScheme}.png`, import.meta.url),
      await page.screenshot(),
    );
  }
  await browser.close();
} finally {
  command.kill('SIGINT');
  await once(command, 'close');
  rmSync(home, { recursive: true });
}
