import { type JsonObject, ownProperty } from '@toolfold/core/internal/tools/values';
import type { Addressee } from '../../mcp/index.ts';
import { INVALID_REQUEST, type Incoming, type Question, RpcError } from '../front/index.ts';

/** A request of a client as servers see it: their questions and notices meanwhile go there. */
export interface Asker extends Addressee {
  ask(question: Question): Promise<JsonObject>;
  /** Takes the function that gives back the place of the request at its server. A question gives it back. */
  onPlace(giveBack: () => void): void;
  tell(method: string, params: JsonObject | undefined): void;
  /** Passes on the progress of the request. */
  progress(params: JsonObject): void;
}

/** The levels of log messages, lowest first. */
const LEVELS: readonly unknown[] = [
  ...['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'],
];

export function isLogLevel(level: unknown): boolean {
  return LEVELS.includes(level);
}

/** The level at which each of the clients gets what it wants; `undefined` if none has said. */
export function lowestLevel(levels: readonly string[]): string | undefined {
  const said = levels.filter((level) => LEVELS.includes(level));
  // Who has not said gets everything.
  if (said.length > 0 && said.length < levels.length) return 'debug';
  return said.sort((one, other) => LEVELS.indexOf(one) - LEVELS.indexOf(other))[0];
}

/** The notification that 2026-07-28 has removed. */
const COMPLETED = 'notifications/elicitation/complete';

/** Whether a client wants a notification for one of its requests. */
export function isWanted(
  { era, logLevel }: Pick<Incoming, 'era' | 'logLevel'>,
  method: string,
  params: JsonObject | undefined,
): boolean {
  if (method === COMPLETED) return era === 'legacy';
  if (method !== 'notifications/message' || logLevel === 'all') return true;
  if (logLevel === undefined) return false;
  return LEVELS.indexOf(params?.level) >= LEVELS.indexOf(logLevel);
}

/** Sends the progress of a request to a client, under the token that it gave. */
export function sendProgress(incoming: Incoming, params: JsonObject): void {
  const progressToken = tokenOf(incoming);
  if (progressToken !== undefined)
    incoming.notify('notifications/progress', { ...params, progressToken });
}

export function tokenOf({ params }: Incoming): string | number | undefined {
  const token = ownProperty(params._meta, 'progressToken');
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

/** The way to a client with a handshake, which can be asked while it waits. */
export function directAsker(incoming: Incoming): Asker {
  const { client, ask } = incoming;
  let leave = (): void => {};
  return {
    owner: client,
    onPlace: (giveBack) => {
      leave = giveBack;
    },
    ask: (question) => {
      leave();
      if (ask) return ask(question);
      throw new RpcError(INVALID_REQUEST, 'The client cannot be asked.');
    },
    tell: (method, params) => {
      if (isWanted(incoming, method, params)) incoming.notify(method, params ?? {});
    },
    progress: (params) => sendProgress(incoming, params),
  };
}
