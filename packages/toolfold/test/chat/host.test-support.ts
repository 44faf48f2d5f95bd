import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { createAnthropic } from '@ai-sdk/anthropic';
import type { SessionStore } from '@toolfold/agent/internal/sessions/store.ts';
import { memoryStore } from '@toolfold/agent/internal/sqlite/sqlite-store.ts';
import {
  type ModelServer,
  type Reply,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import type { CommandUi, MenuItem } from '../../src/chat/command.ts';
import { type Chat, openChat } from '../../src/chat/open-chat.ts';
import { openTerminal } from '../../src/terminal/terminal.ts';

/** A chat without a terminal: sessions in memory, no servers, a model that follows a script. */
export interface HostInTest extends AsyncDisposable {
  readonly host: Chat;
  readonly server: ModelServer;
  readonly store: SessionStore;
  /** The working folder of the test. It is empty but for the configuration. */
  readonly folder: string;
  /** What the chat said outside the conversation. */
  readonly notes: string[];
  /** Sends a message, and resolves when its turn has ended. */
  readonly say: (text: string) => Promise<void>;
}

interface HostOptions {
  readonly script?: readonly Reply[] | ((request: object) => Reply);
  readonly store?: SessionStore;
  /** Settings of the configuration. */
  readonly settings?: object;
  /** Servers of the configuration. */
  readonly servers?: object;
  /** Whether the model is chosen by its name only. */
  readonly isUnnamed?: boolean;
}

/** Opens a chat, in a working folder of its own. */
export async function openHost({
  script = () => ({ text: 'Yes.' }),
  store = memoryStore(),
  settings = {},
  servers = {},
  isUnnamed = false,
}: HostOptions = {}): Promise<HostInTest> {
  const before = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), 'toolfold-host-'));
  process.chdir(folder);
  const config = join(folder, 'toolfold.json');
  writeFileSync(config, JSON.stringify({ mcpServers: servers, toolfold: settings }));
  const server = await startModelServer({ script: script as Reply[] });
  const provider = createAnthropic({ apiKey: 'none', baseURL: server.baseUrl('anthropic') });
  const notes: string[] = [];
  const stream = new PassThrough();
  const streams = { stdin: stream, stdout: stream, stderr: stream };
  const { signal } = new AbortController();
  const flags = { config };
  const env = { XDG_DATA_HOME: folder, TOOLFOLD_LOCAL_PORTS: '' };
  const host = await openChat({
    ...{ flags, env, store, folder: process.cwd(), canAsk: false },
    noteConfig: () => {},
    context: { terminal: openTerminal(streams, () => {}), signal },
    ...(isUnnamed ? {} : { model: provider('claude-sonnet-4-5') }),
    onChange: () => {},
    note: (text) => notes.push(text),
  });
  return {
    ...{ host, server, store, folder, notes },
    say: async (text) => void (await host.talk.send(text)),
    [Symbol.asyncDispose]: async () => {
      await host.close();
      await server.close();
      process.chdir(before);
      rmSync(folder, { recursive: true });
    },
  };
}

interface CommandRun extends CommandUi {
  readonly shown: string[];
  readonly picked: (readonly MenuItem[])[];
  readonly hasQuit: () => boolean;
}

/** What a command gets. `choose` answers its lists with a place in the list, and -1 with nothing. */
export function commandUi(host: Chat, choose?: number): CommandRun {
  const shown: string[] = [];
  const picked: (readonly MenuItem[])[] = [];
  let hasQuit = false;
  return {
    ...{ host, shown, picked },
    show: (lines) => void shown.push(...lines),
    pick:
      choose === undefined
        ? undefined
        : async (_: string, items: readonly MenuItem[]) => {
            picked.push(items);
            return items[choose]?.value;
          },
    signal: new AbortController().signal,
    quit: () => {
      hasQuit = true;
    },
    hasQuit: () => hasQuit,
  };
}
