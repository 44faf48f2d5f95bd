import { readFileSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import {
  type ModelServer,
  type Reply,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import {
  environment,
  home,
  type Outcome,
  root,
  run,
  trustFolder,
} from '../cli/process.test-support.ts';
import { eventually, Tmux } from './tmux.test-support.ts';

export const limited: { readonly timeout: number } = { timeout: 180_000 };

/** Lines that the shell prints before the chat begins. */
const BEFORE = 40;

export type Script = readonly Reply[] | ((request: RecordedRequest) => Reply | Promise<Reply>);

type Servers = Readonly<Record<string, object>>;

export interface SceneOptions {
  /** The servers of the configuration by their names, or what writes them into the folder. */
  readonly servers?: Servers | ((folder: string) => Promise<Servers>);
  readonly env?: Readonly<Record<string, string>>;
  /** Flags of Node, behind each other. */
  readonly node?: string;
}

/** A throwaway home with a configuration, and a scripted model. */
export interface ChatScene {
  readonly folder: string;
  readonly model: ModelServer;
  readonly env: Readonly<Record<string, string>>;
  /** Runs the chat without a terminal, with these lines on stdin. */
  readonly pipe: (input: string, ...args: string[]) => Promise<Outcome>;
  /** Opens a terminal in which a shell has printed some lines. */
  readonly terminal: (columns?: number, rows?: number) => Promise<ChatTerminal>;
}

export async function chatScene(
  context: TestContext,
  script: Script,
  { servers, env = {}, node = '' }: SceneOptions = {},
): Promise<ChatScene> {
  const folder = await home(context);
  const model = await startModelServer({ script });
  context.after(() => model.close());
  const all = {
    ...environment(folder, {}),
    ...{ XDG_DATA_HOME: join(folder, 'data'), XDG_CACHE_HOME: join(folder, 'cache') },
    ...{ XDG_CONFIG_HOME: join(folder, 'config'), TOOLFOLD_SESSIONS: join(folder, 'sessions') },
    ...{ ANTHROPIC_API_KEY: 'sk-never-to-be-shown-0123456789', LANG: 'C.UTF-8', TMPDIR: folder },
    ...env,
  } as Readonly<Record<string, string>>;
  await mkdir(join(folder, 'bin'));
  const mcpServers = typeof servers === 'function' ? await servers(folder) : (servers ?? {});
  await writeFile(join(folder, 'toolfold.json'), JSON.stringify({ mcpServers }));
  trustFolder(folder, all);
  // The shell starts it by a short name, and the process keeps the number of the script.
  const flags = ['--model', 'anthropic/claude-opus-5-5', '--base-url', model.baseUrl('anthropic')];
  const command = `exec '${process.execPath}' ${node} '${join(root, 'packages/toolfold/bin/toolfold.js')}'`;
  const chat = join(folder, 'bin/chat');
  await writeFile(
    chat,
    `#!/bin/sh\necho $$ > "$PID_FILE"\n${command} chat ${flags.join(' ')} "$@"\n`,
  );
  await chmod(chat, 0o755);
  let terminals = 0;
  return {
    ...{ folder, model, env: all },
    pipe: (input, ...args) => run(folder, ['chat', ...flags, ...args], { env: all, input }),
    terminal: async (columns = 80, rows = 24) => {
      terminals += 1;
      const pidFile = join(folder, `pid-${terminals}`);
      const variables = { ...all, PATH: `${join(folder, 'bin')}:${all.PATH}`, PID_FILE: pidFile };
      const tmux = await Tmux.open(context, { columns, rows, folder, env: variables });
      await tmux.type(`for i in $(seq ${BEFORE}); do echo before-$i; done`, 'Enter');
      await tmux.shows(`before-${BEFORE}`);
      return new ChatTerminal(tmux, pidFile);
    },
  };
}

/** A chat in a terminal of its own. */
export class ChatTerminal {
  readonly tmux: Tmux;
  readonly #pidFile: string;

  constructor(tmux: Tmux, pidFile: string) {
    this.tmux = tmux;
    this.#pidFile = pidFile;
  }

  /** Starts the chat, and waits for its status line. */
  async start(...args: readonly string[]): Promise<void> {
    await this.tmux.type(['chat', ...args, '; echo "code $?"'].join(' '), 'Enter');
    await this.tmux.shows(/(?:[●*] |[○o] no )tools/);
  }

  /** Sends a message. */
  async say(text: string): Promise<void> {
    await this.tmux.type(text, 'Enter');
  }

  /** Answers the question that is on the screen: these keys choose, and Enter answers. A digit needs the focus. */
  async answer(...keys: readonly string[]): Promise<void> {
    await this.tmux.shows('Enter: answer');
    const focus = keys.some((key) => /^\d$/.test(key)) ? ['Tab'] : [];
    await this.tmux.type('', ...focus, ...keys, 'Enter');
  }

  /** Ends the chat, and resolves with all lines of the terminal when the shell is back. */
  async quit(code = 0): Promise<string> {
    await this.tmux.type('', 'C-d');
    await this.tmux.shows(`code ${code}\n$`);
    return this.tmux.scrollback();
  }

  /** The number of its process. */
  get pid(): number {
    return Number(readFileSync(this.#pidFile, 'utf8'));
  }

  /** Resolves when its process has ended. */
  async ended(): Promise<void> {
    const { pid } = this;
    await eventually('the end of the chat', () => !isRunning(pid));
  }
}

/** Whether the process runs. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The lines that the shell has printed before the chat and that are gone. */
export function lostLines(scrollback: string): readonly string[] {
  const lines = scrollback.split('\n').map((line) => line.trimEnd());
  return Array.from({ length: BEFORE }, (_, at) => `before-${at + 1}`).filter(
    (line) => !lines.includes(line),
  );
}
