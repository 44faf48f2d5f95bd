import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Milliseconds between two looks at the screen, and until a text must be there. */
const LOOK = 50;
const DEADLINE = 40_000;

const run = promisify(execFile);

/** Why tests on a terminal are skipped, or false. */
export const withoutTmux: string | false = hasTmux() ? false : 'tmux is not installed';

function hasTmux(): boolean {
  try {
    execFileSync('tmux', ['-V'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export interface TmuxOptions {
  readonly columns: number;
  readonly rows: number;
  /** The working folder of the shell. The socket and the raw bytes are kept there. */
  readonly folder: string;
  /** The whole environment of the shell. */
  readonly env: Readonly<Record<string, string>>;
}

let opened = 0;

/** A shell in a terminal of its own, whose screen, scrollback and raw bytes can be read. */
export class Tmux {
  readonly #socket: string;
  readonly #bytes: string;
  /** The process of the server. */
  #pid = 0;

  private constructor(folder: string) {
    opened += 1;
    this.#socket = join(folder, `tmux-${opened}`);
    this.#bytes = join(folder, `bytes-${opened}`);
  }

  /** Starts the shell. The terminal is closed when the test ends. */
  static async open(context: TestContext, options: TmuxOptions): Promise<Tmux> {
    const { columns, rows, folder, env } = options;
    const tmux = new Tmux(folder);
    context.after(() => tmux.close());
    const variables = Object.entries({ TERM: 'screen-256color', PS1: '$ ', ...env });
    const shell = ['env', '-i', ...variables.map(([name, value]) => `${name}=${value}`)];
    await tmux.#do(
      ...['new-session', '-d', '-x', String(columns), '-y', String(rows), '-c', folder],
      ...[...shell, 'bash', '--norc', '--noprofile', '-i'],
    );
    tmux.#pid = Number(await tmux.#do('display-message', '-p', '#{pid}'));
    await tmux.#do('pipe-pane', `exec cat >> '${tmux.#bytes}'`);
    return tmux;
  }

  /** Types a text, and then keys by their names in tmux, such as `Enter` and `C-c`. */
  async type(text: string, ...keys: readonly string[]): Promise<void> {
    if (text !== '') await this.#do('send-keys', '-l', text);
    if (keys.length > 0) await this.#do('send-keys', ...keys);
  }

  /** Pastes a text as terminals do: between the marks of a paste if the program has asked for them. */
  async paste(text: string): Promise<void> {
    const load = spawn('tmux', [...this.#flags, 'load-buffer', '-'], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    load.stdin.end(text);
    await once(load, 'close');
    await this.#do('paste-buffer', '-p', '-r', '-d');
  }

  /** The lines that are on the screen. */
  screen(): Promise<string> {
    return this.#do('capture-pane', '-p');
  }

  /** The lines on the screen and those that have scrolled away. */
  scrollback(): Promise<string> {
    return this.#do('capture-pane', '-p', '-S', '-');
  }

  /** All that programs have written to the terminal so far. */
  bytes(): Promise<string> {
    return readFile(this.#bytes, 'utf8');
  }

  /** The title of the terminal and what programs have put into the clipboard. */
  async outside(): Promise<string> {
    const title = await this.#do('display-message', '-p', '#{pane_title}');
    return `${title}${await this.#do('list-buffers')}`;
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.#do('resize-window', '-x', String(columns), '-y', String(rows));
  }

  /** Resolves with the screen when the text stands there. */
  shows(text: string | RegExp): Promise<string> {
    const isThere = (screen: string) =>
      typeof text === 'string' ? screen.includes(text) : text.test(screen);
    return this.until(String(text), isThere);
  }

  /** Resolves with the screen when it is as expected. Rejects with the screen if that takes too long. */
  async until(name: string, isThere: (screen: string) => boolean): Promise<string> {
    const end = performance.now() + DEADLINE;
    let screen = await this.screen();
    while (!isThere(screen)) {
      if (performance.now() > end) throw new Error(`${name} is not on the screen:\n${screen}`);
      await pause(LOOK);
      screen = await this.screen();
    }
    return screen;
  }

  /**
   * Closes the terminal, as if its window were closed. Its programs get SIGHUP. The socket may be gone with
   * its folder, so the server is ended by its number.
   */
  async close(): Promise<void> {
    const pid = this.#pid;
    this.#pid = 0;
    try {
      if (pid > 0) process.kill(pid, 'SIGTERM');
    } catch {
      // It has ended.
    }
  }

  get #flags(): readonly string[] {
    return ['-u', '-f', '/dev/null', '-S', this.#socket];
  }

  async #do(...args: readonly string[]): Promise<string> {
    const { stdout } = await run('tmux', [...this.#flags, ...args], {
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', SHELL: '/bin/sh' },
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
  }
}

/** Resolves when the condition holds. Rejects with the name if that takes too long. */
export async function eventually(
  name: string,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  const end = performance.now() + DEADLINE;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`It does not come: ${name}.`);
    await pause(LOOK);
  }
}
