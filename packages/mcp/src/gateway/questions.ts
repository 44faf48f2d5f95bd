import {
  isRecord,
  type JsonObject,
  ownProperties,
  ownProperty,
} from '@toolfold/core/internal/values';
import {
  type ClientRequest,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  MISSING_CAPABILITY,
  RpcError,
  type ServerRequest,
} from '../gateway-clients/index.ts';
import type { Addressee } from '../transport/index.ts';

/** A request of a client as servers see it: their questions and notices meanwhile go there. */
export interface RequestAddressee extends Addressee {
  ask(question: ServerRequest): Promise<JsonObject>;
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
  { era, logLevel }: Pick<ClientRequest, 'era' | 'logLevel'>,
  method: string,
  params: JsonObject | undefined,
): boolean {
  if (method === COMPLETED) return era === 'legacy';
  if (method !== 'notifications/message' || logLevel === 'all') return true;
  if (logLevel === undefined) return false;
  return LEVELS.indexOf(params?.level) >= LEVELS.indexOf(logLevel);
}

/** Sends the progress of a request to a client, under the token that it gave. */
export function sendProgress(incoming: ClientRequest, params: JsonObject): void {
  const progressToken = tokenOf(incoming);
  if (progressToken !== undefined)
    incoming.notify('notifications/progress', { ...params, progressToken });
}

export function tokenOf({ params }: ClientRequest): string | number | undefined {
  const token = ownProperty(params._meta, 'progressToken');
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

/** The way to a client with a handshake, which can be asked while it waits. */
export function directAsker(incoming: ClientRequest): RequestAddressee {
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

/** What a question asks of a client: a capability, and the part of it that some questions need. */
interface RequiredCapability {
  readonly capability: string;
  readonly part?: string;
}

type RequestContent = Pick<ServerRequest, 'method' | 'params'>;

function needOf({ method, params }: RequestContent): RequiredCapability | undefined {
  switch (method) {
    case 'elicitation/create':
      return ownProperty(params, 'mode') === 'url'
        ? { capability: 'elicitation', part: 'url' }
        : { capability: 'elicitation', part: 'form' };
    case 'sampling/createMessage':
      return ownProperty(params, 'tools') === undefined
        ? { capability: 'sampling' }
        : { capability: 'sampling', part: 'tools' };
    case 'roots/list':
      return { capability: 'roots' };
    default:
      return;
  }
}

/** Whether a client with these capabilities can be asked a question. A question of an unknown kind is not declared. */
export function isDeclared(question: RequestContent, capabilities: JsonObject): boolean {
  const need = needOf(question);
  const given = need && ownProperty(capabilities, need.capability);
  if (need === undefined || !isRecord(given)) return false;
  // Forms are what an elicitation without a mode means.
  const isForm = need.part === 'form' && Object.keys(given).length === 0;
  return (
    isForm || need.part === undefined || isRecord(given[need.part]) || given[need.part] === true
  );
}

/** Throws if a server asks, in a message of its own, what its client has not declared. */
export function checkDeclared(question: RequestContent, capabilities: JsonObject): void {
  if (isDeclared(question, capabilities)) return;
  throw new RpcError(METHOD_NOT_FOUND, `The client does not support ${nameOf(question)}.`);
}

/**
 * Throws if a result asks what the client has not declared. Since 2026-07-28 a server gets no errors as answers, and
 * must itself refuse such a call with this error.
 */
export function checkRequests(
  { resultType, inputRequests }: JsonObject,
  capabilities: JsonObject,
): void {
  if (resultType !== 'input_required') return;
  for (const request of Object.values(ownProperties(inputRequests))) {
    const { method, params } = ownProperties(request);
    const asked = { method: String(method), params: params as JsonObject | undefined };
    if (isDeclared(asked, capabilities)) continue;
    const need = needOf(asked);
    const required: JsonObject = need
      ? { [need.capability]: need.part === undefined ? {} : { [need.part]: {} } }
      : {};
    throw new RpcError(
      MISSING_CAPABILITY,
      `The server asks for ${nameOf(asked)}, which the client does not support.`,
      {
        requiredCapabilities: required,
      },
    );
  }
}

function nameOf({ method }: RequestContent): string {
  return JSON.stringify(method.slice(0, 80));
}
