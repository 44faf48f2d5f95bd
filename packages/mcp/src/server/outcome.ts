import { connectionFailed, type ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { listIn, ownProperties, ownProperty, plainLine } from '@toolfold/core/internal/values';
import type { ListedTool, LiveConnection } from '../connection/index.ts';
import { type HttpProblem, httpProblemOf, isLost, rootMessage } from '../transport/index.ts';
import type { Times } from './calls.ts';

/**
 * What an error says about a call. `answered`: the server answered with an error. `busy`: the server
 * did not run it, because there were too many. `unsent`: the server
 * did not get it, or did not run it because it does not know the session any more. `refused`: it gave
 * no access, or may not know the session any more; the next call needs a new connection. `late`: no
 * answer in time. `lost`: the connection ended, and nobody knows what the call did. `gone`: the same, and the
 * next call needs a new connection. `forgotten`: the server may have forgotten the session; see `afterPing`.
 */
type ErrorOutcome = SureOutcome | 'forgotten';
type SureOutcome = 'answered' | 'busy' | 'unsent' | 'refused' | 'late' | 'lost' | 'gone';

export function outcomeOf(
  error: unknown,
  { failure, hasSession }: Pick<LiveConnection, 'failure' | 'hasSession'>,
): ErrorOutcome {
  const code = ownProperty(error, 'code');
  if (ownProperty(ownProperty(error, 'data'), 'outcome') === 'unknown') return 'lost';
  // The server's own error. Its data may hold a status, of an API that the tool asked.
  if (typeof code === 'number')
    return hasSession && knowsNoSession(error) ? 'forgotten' : 'answered';
  if (isUnsent(error)) return 'unsent';
  if (code === 'REQUEST_TIMEOUT') return 'late';
  const problem = httpProblemOf(error);
  if (problem !== undefined) return outcomeOfStatus(problem, hasSession);
  // `fetch` throws a `TypeError` when a connection fails.
  const isOfFetch = error instanceof TypeError && error.cause !== undefined;
  return failure !== undefined || isLost(error) || isOfFetch ? 'lost' : 'answered';
}

/**
 * A server that has forgotten a session answers 404. Some answer 400 or 503, or 200 with an error. The tool
 * itself may answer so too, after it ran.
 */
function outcomeOfStatus({ status, text }: HttpProblem, hasSession: boolean): ErrorOutcome {
  if (status === 404) return hasSession ? 'unsent' : 'refused';
  if (status === 429) return 'busy';
  if (status === 401 || status === 403) return 'refused';
  const isOfSession = status === 503 || (status === 400 && SESSION.test(text));
  if (hasSession && isOfSession) return 'forgotten';
  return GATEWAY_ERRORS.has(status) ? 'lost' : 'answered';
}

const SESSION = /session|server not initialized/i;

/** Words of servers that looked for a session and found none. One that ended later is another matter. */
const NOT_FOUND =
  /not found|unknown|invalid|no valid|not valid|expired|not exist|missing|required|no such|unrecogni[sz]ed|not initialized/i;

/** Whether an error says that the server knows no such session. */
function knowsNoSession(error: unknown): boolean {
  const text = httpProblemOf(error)?.text ?? rootMessage(error);
  return SESSION.test(text) && NOT_FOUND.test(text);
}

/** What an error says of a call, after a ping where the server may have forgotten the session. */
export async function sureOutcomeOf(
  error: unknown,
  live: Pick<LiveConnection, 'failure' | 'hasSession' | 'request'>,
): Promise<SureOutcome> {
  const outcome = outcomeOf(error, live);
  return outcome === 'forgotten' ? afterPing(error, live) : outcome;
}

/**
 * What an error says that may mean a forgotten session, after a ping on the same connection. A server that
 * knows no session for the ping either has refused the call before it ran.
 */
async function afterPing(
  error: unknown,
  live: Pick<LiveConnection, 'failure' | 'hasSession' | 'request'>,
): Promise<SureOutcome> {
  const status = httpProblemOf(error)?.status;
  const refusal = await live.request('ping', {}, { timeout: PING_TIME }).then(
    () => undefined,
    (failure: unknown) => failure ?? new Error('no answer'),
  );
  if (refusal === undefined) return status === 503 ? 'lost' : 'answered';
  const isForgotten = knowsNoSession(refusal) || outcomeOf(refusal, live) === 'unsent';
  if (knowsNoSession(error) && isForgotten) return 'unsent';
  // A gateway that answers nothing but 503 may have run the call before.
  return status === 400 ? 'refused' : 'gone';
}

/** Milliseconds for a ping after an error. */
const PING_TIME = 5_000;

/** Whether the call was not sent: there was no connection, or its process had closed its input. */
function isUnsent(error: unknown): boolean {
  return [error, ownProperty(error, 'cause')].some((one) => UNSENT.has(ownProperty(one, 'code')));
}

const UNSENT: ReadonlySet<unknown> = new Set([
  ...['NOT_CONNECTED', 'EPIPE', 'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'],
  ...['ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'],
]);

/** A gateway answers so when the server behind it did not, which may have run the call. */
const GATEWAY_ERRORS: ReadonlySet<number> = new Set([502, 503, 504]);

/** Whether a tool may be called again without asking: a trusted server says that this changes nothing more. */
export function isRepeatable(tool: ListedTool, isTrusted: boolean): boolean {
  const { readOnlyHint, idempotentHint } = ownProperties(ownProperty(tool, 'annotations'));
  return isTrusted && (readOnlyHint === true || idempotentHint === true);
}

/** Whether a call of a tool needs no approval: a trusted server says that it only reads. */
export function runsUnasked(tool: ListedTool, isTrusted: boolean): boolean {
  return isTrusted && ownProperty(ownProperty(tool, 'annotations'), 'readOnlyHint') === true;
}

/** Why a connection was lost. A process that ended says more than the error of the call. */
export async function lossOf(live: LiveConnection, error: unknown): Promise<string> {
  if (live.failure !== undefined) return (await live.ended).reason;
  return httpProblemOf(error)?.text ?? rootMessage(error).replace(/\.$/, '');
}

/** The error for a call whose outcome nobody knows. The model reads the message. */
export function unknownOutcome(server: string, tool: string, reason: string): ToolfoldError {
  return connectionFailed(
    `The outcome of the call of ${tool} is unknown: the MCP server ${server} was lost while it ran (${reason}). It may or may not have taken effect, and was not repeated.`,
    'Check whether it took effect before calling it again.',
  );
}

/**
 * The error for a call that was answered with an HTTP status; other errors unchanged. The model reads the
 * message.
 */
export function inWords(server: string, tool: string, error: unknown): unknown {
  const problem = httpProblemOf(error);
  if (problem === undefined) return error;
  return connectionFailed(
    `The MCP server ${server} answered the call of ${tool} with ${problem.text}. The call was not repeated.`,
    adviceFor(problem.status),
  );
}

function adviceFor(status: number): string {
  if (status === 401) return 'Check the credentials in its entry.';
  if (status === 403) return 'Check what the credentials in its entry permit.';
  if (status < 400 || status === 404) return 'Check its "url".';
  if (status === 429) return 'Wait before calling it again.';
  return status < 500
    ? 'Correct what the answer names.'
    : 'Check whether it took effect before calling it again.';
}

/** The error for a call of a tool that the entry of its server leaves out. The model reads the message. */
export function leftOutTool(server: string, tool: string): ToolfoldError {
  return connectionFailed(
    `The configuration does not offer the tool ${tool} of the MCP server ${server}. It was not called.`,
    'Use another tool, or change the lists of tools in the entry.',
  );
}

/** The error for a call without an answer in time. `stray`: what the server sent meanwhile. */
export function lateAnswer(
  server: string,
  tool: string,
  { call, maxCall }: Pick<Times, 'call' | 'maxCall'>,
  error: unknown,
  stray: string | undefined,
): ToolfoldError {
  const meanwhile = stray === undefined ? '' : `; meanwhile the server sent ${stray}`;
  // It reported progress all the time.
  const isMax = ownProperty(error, 'isMax') === true;
  const seconds = ((isMax ? maxCall : call) / 1000).toLocaleString('en-US');
  return connectionFailed(
    `${tool} of the MCP server ${server} did not ${isMax ? 'finish' : 'answer'} within ${seconds} s and was cancelled${meanwhile}. It may or may not have taken effect.`,
    'Check whether it took effect before calling it again.',
  );
}

/** The error for a call of a tool that is no longer the one that was listed. */
export function changedTool(server: string, tool: string, isGone: boolean): ToolfoldError {
  return connectionFailed(
    isGone
      ? `The MCP server ${server} no longer has the tool ${tool}. It was not called.`
      : `The tool ${tool} of the MCP server ${server} is no longer the one that was listed. It was not called.`,
    isGone ? 'Look for another tool in the list.' : 'Read its new schema, and call it again.',
  );
}

/** The error for a call that the server did not get, also not on another connection. */
export async function unsentCall(
  live: LiveConnection,
  server: string,
  tool: string,
  error: unknown,
): Promise<unknown> {
  if (httpProblemOf(error) !== undefined) return inWords(server, tool, error);
  return connectionFailed(
    `${tool} was not called: the MCP server ${server} did not read the call (${await lossOf(live, error)}).`,
    'Start the server by hand to see why.',
  );
}

/** The error for a call whose tool could not be compared with the list of the server. */
export function unreadList(server: string, tool: string, reason: string): ToolfoldError {
  return connectionFailed(
    `${tool} was not called: whether the MCP server ${server} still lists the same tool could not be checked (${reason}).`,
    'Call it again.',
  );
}

/** The error for whatever was under way when the connection was closed. */
export function closedConnection(server: string): ToolfoldError {
  return connectionFailed(
    `The connection to the MCP server ${server} was closed.`,
    'Connect again.',
  );
}

/** The error for an attempt to connect that ended because the server was stopped. */
export function stoppedStart(server: string): ToolfoldError {
  return connectionFailed(
    `The MCP server ${server} was stopped while it started.`,
    'Start it again.',
  );
}

/**
 * The error of the Python SDK where a tool asks in the way of older revisions on a connection of
 * 2026-07-28, which has no such way (`ctx.elicit` of FastMCP).
 */
const NO_WAY = /Cannot send '(\w+\/\w+)': [^.]*no back-channel/;

const ADVICE = 'To use it from the beginning, write "protocol": "legacy" in its entry.';

/** The request that a tool could not send, as its error or its result with `isError` says. */
export function unsentRequest(outcome: unknown): string | undefined {
  const message = ownProperty(outcome, 'message');
  const content = ownProperty(outcome, 'isError') === true ? listIn(outcome, 'content') : [];
  const texts = content.map((part) => ownProperty(part, 'text'));
  for (const text of [message, ...texts]) {
    const request = typeof text === 'string' ? NO_WAY.exec(text)?.[1] : undefined;
    if (request !== undefined) return plainLine(request, 60);
  }
  return;
}

/** The warning about a server that asks so. */
export function oldWayWarning(request: string): string {
  return `it asks with ${request}, which 2026-07-28 does not have; further calls use the older revision. ${ADVICE.slice(0, -1)}`;
}

/** The error for the call in which a tool asked so. */
export function oldWay(server: string, tool: string, request: string): ToolfoldError {
  return connectionFailed(
    `${tool} of the MCP server ${server} asks with ${request}, which the revision 2026-07-28 of the protocol does not have, and failed. What it did before may have taken effect. Further calls use the older revision.`,
    ADVICE,
  );
}
