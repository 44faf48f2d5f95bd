import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import {
  type ModelServer,
  type Reply,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import { compileCache } from '@toolfold/testing/test/compile-cache.test-support.ts';
import { command } from '../cli/in-process.test-support.ts';
import { home, type Outcome, root, run } from '../cli/process.test-support.ts';

export const limited: { readonly timeout: number } = { timeout: 120_000 };
/** The API key of the scripted model's provider. */
export const KEY = 'sk-never-to-be-shown-0123456789';
export const MODEL = 'anthropic/claude-opus-5-5';

/** A small server for files, over the folder itself. */
function files(folder: string): object {
  const script = join(import.meta.dirname, 'files-server.test-support.ts');
  return { command: process.execPath, args: [script], cwd: folder, env: compileCache };
}

/** The reference server for files, over the folder itself. */
export function referenceFiles(folder: string): object {
  const script = 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js';
  return { command: process.execPath, args: [join(root, script), folder], env: compileCache };
}

export interface Scene {
  readonly folder: string;
  readonly model: ModelServer;
  /** Runs `toolfold run` against the scripted model, in this process. */
  readonly ask: (...args: string[]) => Promise<Outcome>;
  /** The same on a terminal, with the lines that the user types. */
  readonly answering: (answers: readonly string[], ...args: string[]) => Promise<Outcome>;
  /** Runs `toolfold sessions` for the same user. */
  readonly sessions: (...args: string[]) => Promise<Outcome>;
  /** Runs `toolfold run` in a process of its own, as users do. */
  readonly askProcess: (...args: string[]) => Promise<Outcome>;
}

/** A folder with a note and a server for files, and a scripted model. */
export async function scene(
  context: TestContext,
  script: readonly Reply[] | ((request: RecordedRequest) => Reply | Promise<Reply>),
  toolfold: object = {},
  server: (folder: string) => object = files,
): Promise<Scene> {
  const folder = await home(context, { 'note.txt': 'The answer is 42.' });
  const servers = { files: server(folder) };
  const config = JSON.stringify({ mcpServers: servers, toolfold });
  await writeFile(join(folder, 'toolfold.json'), config);
  const model = await startModelServer({ script });
  context.after(() => model.close());
  const flags = ['--model', MODEL, '--base-url', model.baseUrl('anthropic')];
  const env = { ANTHROPIC_API_KEY: KEY, TOOLFOLD_SESSIONS: join(folder, 'sessions') };
  return {
    folder,
    model,
    ask: (...args) => command(folder, ['run', ...flags, ...args], { env }),
    answering: (answers, ...args) => command(folder, ['run', ...flags, ...args], { env, answers }),
    sessions: (...args) => command(folder, ['sessions', ...args], { env }),
    askProcess: (...args) => run(folder, ['run', ...flags, ...args], { env }),
  };
}

/** A server that runs until it is stopped. `gone` resolves when its process has ended. */
export async function watchedServer(
  context: TestContext,
): Promise<{ readonly entry: object; readonly gone: Promise<void> }> {
  const watch = createServer().listen(0, '127.0.0.1');
  context.after(() => watch.close());
  await once(watch, 'listening');
  const { port } = watch.address() as AddressInfo;
  const source = `require('node:net').connect(${port}, '127.0.0.1').on('close', () => process.exit());
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    const result = method === 'initialize'
      ? { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
      : { tools: [{ name: 'a', inputSchema: { type: 'object' } }] };
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  })`;
  const gone = once(watch, 'connection').then(async ([socket]: Socket[]) => {
    socket?.resume().on('error', () => {});
    if (socket) await once(socket, 'close');
  });
  return { entry: { command: process.execPath, args: ['-e', source] }, gone };
}
