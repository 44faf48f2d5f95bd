import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import {
  environment,
  home,
  trustFolder,
} from '../packages/toolfold/test/cli/process.test-support.ts';
import { WebServer } from '../packages/toolfold/test/web-server/web.test-support.ts';
import { root } from './tree.ts';

const PLACES = [
  process.env.TOOLFOLD_CHROMIUM,
  ...['chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`),
];
const executablePath = PLACES.find((path) => path !== undefined && existsSync(path));
const isBuilt = existsSync(join(root, 'packages/toolfold/page-build/index.html'));

/** What is missing for a test with a browser. */
const missing =
  executablePath === undefined
    ? 'there is no Chromium (TOOLFOLD_CHROMIUM names one)'
    : isBuilt
      ? false
      : 'the page is not built (npm run build:page)';

/** A test with a browser of its own. It is skipped by name where there is none. */
export function pageTest(
  name: string,
  run: (context: TestContext, browser: Browser) => Promise<void>,
): void {
  test(name, { skip: missing, timeout: 120_000 }, async (context) => {
    // In a container the user is root, and its sandbox cannot start.
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    context.after(() => browser.close());
    await run(context, browser);
  });
}

/** Starts `toolfold web --demo`. */
export async function demoServer(context: TestContext): Promise<WebServer> {
  const folder = await home(context);
  const env = environment(folder, { XDG_DATA_HOME: join(folder, 'data') });
  trustFolder(folder, env);
  const bin = join(root, 'packages/toolfold/bin/toolfold.js');
  const args = ['web', '--demo', '--no-open', '--port', '0'];
  const child = spawn(process.execPath, [bin, ...args], { cwd: folder, env, stdio: 'pipe' });
  context.after(() => child.kill('SIGKILL'));
  return WebServer.of(child);
}

export const WIDE = { width: 1440, height: 900 } as const;
export const NARROW = { width: 360, height: 740 } as const;

/** A tab, and what went wrong in it. */
export class Tab {
  readonly page: Page;
  /** Errors of scripts and reports of the content security policy. */
  readonly problems: string[] = [];
  /** Addresses of other hosts that were asked. */
  readonly foreign: string[] = [];
  /** How often a stream was opened. */
  streams = 0;

  private constructor(page: Page, origin: string) {
    this.page = page;
    page.on('pageerror', ({ message }) => this.problems.push(message));
    page.on('console', (message) => {
      const isReport = /Content Security Policy|TrustedHTML|Trusted Type/.test(message.text());
      if (isReport) this.problems.push(message.text());
    });
    page.on('request', (request) => {
      if (/^https?:/.test(request.url()) && !request.url().startsWith(`${origin}/`))
        this.foreign.push(request.url());
      if (request.url().includes('/api/stream')) this.streams += 1;
    });
  }

  static async open(within: BrowserContext | Browser, url: string): Promise<Tab> {
    const tab = new Tab(await within.newPage(), new URL(url).origin);
    await tab.page.goto(url);
    return tab;
  }

  /** Types a message and sends it. */
  async say(text: string): Promise<void> {
    await this.page.getByRole('textbox', { name: 'Message' }).fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** Waits until the conversation has this text. */
  async shows(text: string | RegExp): Promise<void> {
    await this.page
      .getByRole('region', { name: 'Conversation' })
      .getByText(text)
      .first()
      .waitFor({ timeout: 20_000 });
  }

  /** Nothing was reported, and no other host was asked. */
  isClean(): void {
    assert.deepEqual([this.problems, this.foreign], [[], []]);
  }

  /** Violations of WCAG 2.2 AA, and of what axe calls best practice but for the order of headings in answers. */
  async violations(): Promise<readonly string[]> {
    const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
    // Not by a script of the page: its policy allows none from elsewhere.
    const session = await this.page.context().newCDPSession(this.page);
    await session.send('Runtime.evaluate', { expression: readFileSync(axe, 'utf8') });
    const expression = `axe.run(document, { runOnly: ${JSON.stringify(RULES)} }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ' ' + target)))`;
    const { result } = await session.send('Runtime.evaluate', {
      ...{ expression, awaitPromise: true, returnByValue: true },
    });
    return result.value as readonly string[];
  }
}

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
