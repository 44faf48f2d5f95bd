import { Console } from 'node:console';
import { Readable, Writable } from 'node:stream';
import {
  type AgentConnection,
  MessageTooLargeError,
  methods,
  ndJsonStream,
  type SendRequestOptions,
} from '@agentclientprotocol/sdk';
import { within } from '@toolfold/core/internal/time-limit.ts';
import { raceAbort } from '@toolfold/core/internal/tools/values';
import type { AgentFlags } from '../app/agents/flags/index.ts';
import { Keys } from '../app/models/index.ts';
import { openStore } from '../app/sessions/index.ts';
import { type CommandContext, exitCode } from '../app/terminal/index.ts';
import { guardedStream } from './guarded-stream.ts';
import { agentApp } from './handlers.ts';
import { type EditorClient, OpenSessions } from './sessions/index.ts';

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
