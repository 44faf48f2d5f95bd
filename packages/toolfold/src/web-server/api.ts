import type { HttpBindings } from '@hono/node-server';
import { parsedJson } from '@toolfold/core/internal/values';
import { type Context, Hono } from 'hono';
import { foundSessions } from '../stored-sessions/index.ts';
import { API, type WireReply, type WireState } from '../web-wire/index.ts';
import { guard, proofOf, withToken } from './guard.ts';
import { OpenSessions } from './open-sessions.ts';
import { pageFiles } from './page-files.ts';
import { failure, gone, Refusal, readCommand, readPlace, refused } from './requests.ts';
import { runCommand } from './session-commands.ts';
import { READS, stateOf } from './session-state.ts';
import { StateStream } from './state-stream.ts';
import type { WebHost, WebSession } from './web-session.ts';

/** Most bytes of a body: a message with images. */
const MAX_BODY = 40_000_000;

type App = Hono<{ Bindings: HttpBindings }>;

/** What answers the requests of the page. */
export interface Api {
  readonly app: App;
  readonly sessions: OpenSessions;
  /** Ends the streams. */
  readonly end: () => void;
}

/** The streams of a session, and its state as long as it does not change. */
interface Shown {
  readonly streams: Set<StateStream>;
  state: WireState | undefined;
}

/** Where a server listens. */
interface ApiPlace {
  readonly token: string;
  readonly port: number;
  /** The folder of new sessions. */
  readonly folder: string;
}

/** The addresses of `API`, behind the token, and the files of the page. */
export function createApi(host: WebHost, { token, port, folder }: ApiPlace): Api {
  const shown = new Map<string, Shown>();
  const sessions = new OpenSessions(host, folder, (changed) => {
    for (const [id, one] of shown) {
      if (changed && changed.id !== id) continue;
      one.state = undefined;
      for (const stream of one.streams) stream.changed();
    }
  });
  const streamOf = (session: WebSession, drop: () => void): StateStream => {
    const { id } = session;
    const all = shown.get(id) ?? { streams: new Set(), state: undefined };
    shown.set(id, all);
    const stateNow = () => {
      const now = sessions.all.find((one) => one.id === id) ?? session;
      all.state ??= stateOf(now, sessions.home);
      return all.state;
    };
    const stream: StateStream = new StateStream(stateNow, drop, () => {
      all.streams.delete(stream);
      if (all.streams.size === 0) shown.delete(id);
    });
    all.streams.add(stream);
    return stream;
  };
  const given = (context: Context) => sessions.get(context.req.query('session') ?? '');
  const api: App = new Hono<{ Bindings: HttpBindings }>()
    .use(withToken(token))
    .get('/stream', async (context) => {
      const session = await given(context);
      // The first state has all requests. What cannot be read is noted.
      await session.insight.read().catch(() => {});
      const { outgoing } = context.env;
      const stream = streamOf(session, () => outgoing.destroy());
      return context.body(stream.body, 200, { 'content-type': 'text/event-stream; charset=utf-8' });
    })
    .post('/command', async (context) => {
      const command = readCommand(await jsonOf(context));
      return context.json(await runCommand(await given(context), command, sessions));
    })
    .post('/sessions', async (context) => {
      const { id, folder } = readPlace(await jsonOf(context));
      const session = await (id === undefined ? sessions.create(folder) : sessions.get(id));
      return context.json({ ok: true, session: session.id } satisfies WireReply);
    })
    .get('/sessions', async (context) => {
      const words = context.req.query('words') ?? '';
      if (words === '') return context.json(sessions.home.sessions);
      const found = await foundSessions(host.store, { words, limit: 50 });
      return context.json(found.map((one) => sessions.listed(one)));
    })
    .delete('/sessions', async (context) => {
      const id = context.req.query('session') ?? '';
      await sessions.remove(id);
      for (const stream of [...(shown.get(id)?.streams ?? [])]) stream.end();
      return context.json({ ok: true } satisfies WireReply);
    });
  for (const [path, read] of Object.entries(READS))
    api.get(path, async (context) => {
      const value = await read(await given(context), (name) => context.req.query(name) ?? '');
      return typeof value === 'string' ? context.text(value) : context.json(value as object);
    });
  const app = new Hono<{ Bindings: HttpBindings }>()
    .use(guard)
    .get('/running', (context) => {
      context.header('toolfold-port', String(port));
      return context.text(proofOf(token, port, context.req.query('nonce') ?? ''));
    })
    .route(API, api)
    .get('*', pageFiles())
    .notFound(() => {
      throw gone('There is nothing at this address.', 'Load the page again.');
    })
    .onError((error, context) => {
      const { reply, status } = failure(error, host.keys.hide);
      return context.json(reply, status);
    });
  const end = () => {
    for (const { streams } of [...shown.values()]) for (const stream of [...streams]) stream.end();
  };
  return { app, sessions, end };
}

/** The JSON of a body. A larger one is read to its end all the same: a browser reads no reply before it is sent. */
async function jsonOf({ env }: Context<{ Bindings: HttpBindings }>): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of env.incoming) {
    size += chunk.length;
    if (size <= MAX_BODY) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (size > MAX_BODY)
    throw new Refusal(
      'too-large',
      'The message is too large.',
      'Send fewer or smaller files.',
      413,
    );
  const body = parsedJson(Buffer.concat(chunks).toString());
  if (body !== undefined) return body;
  throw refused('invalid-json', 'The body is no JSON.', 'Load the page again.');
}
