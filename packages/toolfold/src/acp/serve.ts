import { Console } from 'node:console';
import { Readable, Writable } from 'node:stream';
import {
  type AgentApp,
  type AgentConnection,
  type AnyMessage,
  agent,
  type InitializeResponse,
  MessageTooLargeError,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type SendRequestOptions,
  type Stream,
} from '@agentclientprotocol/sdk';
import { isTooDeep, raceAbort, within } from '@toolfold/core/internal/values';
import { VERSION } from '@toolfold/core/internal/version.ts';
import { Keys } from '../models/index.ts';
import { openStore } from '../stored-sessions/index.ts';
import { type AgentFlags, type CommandContext, exitCode } from '../terminal/index.ts';
import type { EditorSession } from './editor-session.ts';
import {
  forkRequest,
  listSessions,
  OpenSessions,
  titleRequest,
  UNSTABLE,
  UNSTABLE_CAPABILITIES,
} from './open-sessions.ts';
import type { EditorClient } from './outlet.ts';
import { refusalOf } from './refusals.ts';

/**
 * Milliseconds for the turns and the servers to end when the editor is gone, also while something is being written.
 * A call whose result is not written then is unknown when its session goes on.
 */
const PATIENCE = { idle: 5_000, writing: 10_000 } as const;

/**
 * Speaks the protocol on stdin and stdout until stdin ends or the signal aborts. Then it cancels the
 * turns and ends the servers. Rejects if the store of sessions cannot be opened.
 */
export async function serve(flags: AgentFlags, context: CommandContext): Promise<void> {
  const { terminal, streams, signal } = context;
  let sessions: OpenSessions | undefined;
  const note = (line: string): void => {
    terminal.note(line);
    sessions?.tell(line);
  };
  const store = await openStore({ note }, context.unwritten);
  const before = globalThis.console;
  // What a library prints must not stand between the messages.
  globalThis.console = new Console(streams.stderr, streams.stderr);
  try {
    const keys = new Keys(process.env);
    const output = Writable.toWeb(streams.stdout as Writable);
    const input = Readable.toWeb(streams.stdin as Readable) as ReadableStream<Uint8Array>;
    const stream = guardedStream(ndJsonStream(output, input), (message) => keys.redacted(message));
    const connection = agentApp(() => opened).connect(stream);
    const client = editorClient(connection);
    const opened = new OpenSessions({
      ...{ store, flags, client, keys, terminal },
      signal: connection.signal,
    });
    sessions = opened;
    const stop = () => connection.close();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    await connection.closed;
    const { reason } = connection.signal;
    if (reason instanceof MessageTooLargeError) {
      terminal.note(`toolfold: The editor sent too large a message: ${reason.message}.`);
      context.exitWith(exitCode.failed);
    }
    const { idle, writing } = PATIENCE;
    await within(context.unwritten.isEmpty ? idle : writing, opened.closeAll());
  } finally {
    globalThis.console = before;
    await store.close();
  }
}

function editorClient({ client, signal: closed }: AgentConnection): EditorClient {
  return {
    capabilities: {},
    update: (sessionId, update) =>
      raceAbort(client.notify(methods.client.session.update, { sessionId, update }), closed),
    askPermission: (request, signal) =>
      client.request(methods.client.session.requestPermission, request, until(signal)),
    elicit: (request, signal) =>
      client.request(methods.client.elicitation.create, request, until(signal)),
  };
}

function until(signal: AbortSignal): SendRequestOptions {
  return { cancellationSignal: signal, stopWaitingOnCancel: true };
}

/**
 * The stream, with each message that is sent changed by `redacted`. The answer to a request that is nested
 * too deeply does not repeat it.
 */
export function guardedStream(
  { readable, writable }: Stream,
  redacted: (message: AnyMessage) => AnyMessage,
): Stream {
  const writer = writable.getWriter();
  return {
    readable,
    writable: new WritableStream<AnyMessage>({
      write: (message) => writer.write(redacted(withoutDepth(message))),
      close: () => writer.close(),
      abort: (reason) => writer.abort(reason),
    }),
  };
}

/** An error may repeat what the editor has sent. All other messages are bounded where they are made. */
function withoutDepth(message: AnyMessage): AnyMessage {
  if (!('error' in message) || !isTooDeep(message)) return message;
  const { code, message: text } = message.error;
  return { ...message, error: { code, message: text } };
}

/**
 * The agent's side of the protocol: one handler for each method of version 1 that it offers. `opened` is called with each
 * message of the editor.
 */
function agentApp(opened: () => OpenSessions): AgentApp {
  const { session } = methods.agent;
  /** Updates about a session stand behind the answer that names it. */
  const announced = (session: EditorSession) => {
    const { terminal, keys } = opened().host;
    setImmediate(() => {
      session
        .announce()
        .catch((error) => terminal.note(keys.hide(`An update was not sent: ${error}`)));
    });
    return { configOptions: session.options, modes: session.modes };
  };
  return agent({ name: 'toolfold' })
    .onRequest(methods.agent.initialize, ({ params }) => {
      opened().host.client.capabilities = params.clientCapabilities ?? {};
      return INITIALIZED;
    })
    .onRequest(session.new, ({ params }) =>
      answered(async () => {
        const session = await opened().create(params);
        return { sessionId: session.id, ...announced(session) };
      }),
    )
    .onRequest(session.list, ({ params }) =>
      answered(() => listSessions(opened().host.store, params)),
    )
    .onRequest(session.load, ({ params }) =>
      answered(async () => announced(await opened().reopen(params, true))),
    )
    .onRequest(session.resume, ({ params }) =>
      answered(async () => announced(await opened().reopen(params, false))),
    )
    .onRequest(UNSTABLE.fork, forkRequest, ({ params }) =>
      answered(async () => {
        const session = await opened().fork(params);
        return { sessionId: session.id, ...announced(session) };
      }),
    )
    .onRequest(UNSTABLE.setTitle, titleRequest, ({ params: { sessionId, title } }) =>
      answered(() => opened().rename(sessionId, title)),
    )
    .onRequest(session.prompt, ({ params, signal }) =>
      answered(() => opened().get(params.sessionId).prompt(params.prompt, signal)),
    )
    .onNotification(session.cancel, ({ params }) => opened().cancel(params.sessionId))
    .onRequest(session.setConfigOption, ({ params }) =>
      answered(async () => {
        const changed = opened().get(params.sessionId);
        await changed.setOption(params.configId, params.value);
        return { configOptions: changed.options };
      }),
    )
    .onRequest(session.setMode, ({ params }) =>
      answered(async () => {
        await opened().get(params.sessionId).setMode(params.modeId);
        return {};
      }),
    )
    .onRequest(session.close, ({ params }) => answered(() => opened().close(params.sessionId)))
    .onRequest(session.delete, ({ params }) => answered(() => opened().remove(params.sessionId)));
}

const SESSIONS = { list: {}, delete: {}, resume: {}, close: {}, ...UNSTABLE_CAPABILITIES };

const INITIALIZED: InitializeResponse = {
  protocolVersion: PROTOCOL_VERSION,
  agentInfo: { name: 'toolfold', title: 'Toolfold', version: VERSION },
  authMethods: [],
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: { image: true, audio: false, embeddedContext: true },
    mcpCapabilities: { http: true, sse: true },
    sessionCapabilities: SESSIONS,
  },
};

/** Errors become answers of the protocol. */
async function answered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw refusalOf(error);
  }
}
