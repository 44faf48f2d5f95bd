import type { JsonObject } from '../../tools/values/index.ts';
import type { Client } from './client.ts';
import type { Era } from './revision.ts';

/** A request of a client, and the ways back to the client while it is answered. */
export interface Incoming {
  readonly client: Client;
  readonly id: string | number;
  readonly era: Era;
  readonly method: string;
  readonly params: JsonObject;
  /** What the client can do for servers. */
  readonly capabilities: JsonObject;
  /** The lowest level of log messages that it wants; `undefined` for none, `all` if it did not say. */
  readonly logLevel: string | undefined;
  /** Fires when the client does not want the answer any more, or has gone. */
  readonly signal: AbortSignal;
  /** Sends a notification that belongs to this request. */
  notify(method: string, params: JsonObject): void;
  /** Asks the client. Absent since 2026-07-28: a client then gets questions as a result. */
  readonly ask?: (
    method: string,
    params: JsonObject | undefined,
    signal: AbortSignal,
  ) => Promise<JsonObject>;
}

/** Answers a request. Rejects with `RpcError` or `AnsweredError`. */
export type Handle = (incoming: Incoming) => Promise<JsonObject>;

/** Where messages to a client are written. Messages after the end are dropped. */
export interface Outlet {
  send(message: JsonObject): void;
}
