import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createAdaptorServer } from '@hono/node-server';
import { memoryStore } from '@toolfold/agent/internal/sqlite';
import { userFolder, writePrivate } from '@toolfold/config/internal/files';
import { errorMessage, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { ownProperty, within } from '@toolfold/core/internal/values';
import { startDemo } from '../demo/index.ts';
import { Keys } from '../models/index.ts';
import { openPage } from '../servers/index.ts';
import { findSession, openStore } from '../stored-sessions/index.ts';
import { type AgentFlags, type CommandContext, usageError } from '../terminal/index.ts';
import { type Api, createApi } from './api.ts';
import { isSame, knownToken, newToken, proofOf, userToken } from './guard.ts';
import { isPageBuilt, MISSING } from './page-files.ts';
import type { WebHost } from './web-session.ts';

/** The port, if none is given: T-O-O-L on a telephone. */
const PORT = 8665;

/** Milliseconds for the turns and the servers to end. */
const PATIENCE = { idle: 5_000, writing: 10_000 } as const;
/** Milliseconds for the answer of a server that runs. */
const ANSWER = 2_000;

/** The flags of `toolfold web`. */
export interface WebOptions extends AgentFlags {
  readonly continue?: true;
  /** The id of a session or its beginning. */
  readonly resume?: string;
  readonly port?: number;
  /** False: no browser is opened. */
  readonly open?: boolean;
  readonly demo?: true;
}

/** Serves the page until the command is stopped, or opens the one that runs already. Rejects if the port is taken. */
export async function serve(options: WebOptions, context: CommandContext): Promise<void> {
  if (options.demo) {
    await using demo = await startDemo();
    const { folder, config } = demo.workplace;
    const shared = { store: memoryStore(), isKept: false, model: demo.model };
    return await serveWith(options, context, { ...shared, flags: { ...options, config } }, folder);
  }
  const store = await openStore(context.terminal, context.unwritten);
  try {
    await serveWith(options, context, { store, isKept: true, flags: options }, process.cwd());
  } finally {
    await context.unwritten.settled();
    await store.close();
  }
}

async function serveWith(
  options: WebOptions,
  context: CommandContext,
  given: Omit<WebHost, 'keys' | 'context' | 'written'>,
  folder: string,
): Promise<void> {
  const { port = PORT } = options;
  const { signal, terminal } = context;
  const first = await sessionOf(given.store, options, folder);
  const show = async (at: number, token: string, session: string) => {
    const url = `http://127.0.0.1:${at}/#token=${token}&session=${encodeURIComponent(session)}`;
    terminal.out(`${url}\n`);
    if (options.open !== false) await openPrivately(url, terminal.note);
  };
  let api: Api | undefined;
  const server = createAdaptorServer({
    fetch: (request, env) => api?.app.fetch(request, env) ?? new Response(null, { status: 503 }),
    overrideGlobalObjects: false,
  });
  // A stream lasts as long as its page.
  Object.assign(server, { requestTimeout: 0 });
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if (ownProperty(error, 'code') !== 'EADDRINUSE') throw error;
    const running = given.isKept ? await runningOn(port) : undefined;
    if (!running) throw portTaken(port);
    const session = await openIn(running, { folder, ...(first && { id: first }) });
    terminal.note('toolfold web runs already. This is its page:');
    return await show(port, running.token, session);
  }
  const at = (server.address() as AddressInfo).port;
  const token = given.isKept ? await userToken() : newToken();
  const keys = new Keys(process.env);
  keys.add(token);
  api = createApi({ ...given, keys, context, written: new Map() }, { token, port: at, folder });
  try {
    const session = await (first === undefined
      ? api.sessions.create(folder)
      : api.sessions.get(first));
    if (!isPageBuilt()) terminal.note(MISSING);
    await show(at, token, session.id);
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    api.end();
    server.close();
    const { idle, writing } = PATIENCE;
    await within(context.unwritten.isEmpty ? idle : writing, api.sessions.close());
  }
}

/**
 * Opens the page by a file that only the user can read and that leads to it: the arguments of a process can be read by
 * other users of the computer.
 */
async function openPrivately(url: string, note: (text: string) => void): Promise<void> {
  const file = join(userFolder('data'), `web-${new URL(url).port}.html`);
  const lines = [
    '<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">',
    `<title>Toolfold</title><meta http-equiv="refresh" content="0; url=${url.replaceAll('&', '&amp;')}">`,
  ];
  try {
    await writePrivate(file, `${lines.join('\n')}\n`);
  } catch (error) {
    return note(
      `The browser could not be opened: ${errorMessage(error)}. Open the address yourself.`,
    );
  }
  openPage(pathToFileURL(file).href, note);
}

/** The session that the flags name. Rejects with `session-unknown`. */
async function sessionOf(
  store: WebHost['store'],
  { continue: last, resume }: WebOptions,
  folder: string,
): Promise<string | undefined> {
  if (resume !== undefined) return (await findSession(store, resume)).id;
  if (!last) return;
  const [record] = await store.list({ folder, limit: 1 });
  if (record) return record.id;
  throw new ToolfoldError(
    'session-unknown',
    'There is no session in this folder.',
    'Begin one: toolfold web.',
  );
}

interface Running {
  readonly port: number;
  readonly token: string;
}

/** The server of this user on a port. It proves that it knows the token before it is told it. */
async function runningOn(port: number): Promise<Running | undefined> {
  const token = await knownToken();
  if (token === undefined) return;
  const nonce = randomBytes(16).toString('base64url');
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/running?nonce=${nonce}`, {
      signal: AbortSignal.timeout(ANSWER),
    });
    const proof = await answer.text();
    return isSame(proof, proofOf(token, port, nonce)) ? { port, token } : undefined;
  } catch {
    return;
  }
}

async function openIn({ port, token }: Running, place: object): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/sessions`, {
    ...{ method: 'POST', body: JSON.stringify(place) },
    headers: { authorization: `Bearer ${token}` },
  });
  const reply: unknown = await answer.json();
  const session = ownProperty(reply, 'session');
  if (typeof session === 'string') return session;
  throw usageError(String(ownProperty(reply, 'message')), String(ownProperty(reply, 'hint') ?? ''));
}

function portTaken(port: number): ToolfoldError {
  return usageError(
    `The port ${port} is taken by another program.`,
    `Choose another one: toolfold web --port ${port + 1}.`,
  );
}
