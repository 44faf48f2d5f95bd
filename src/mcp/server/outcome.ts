import { ToolfoldError } from '../../errors.ts';
import { isRecord, own } from '../../tools/values/index.ts';
import type { ListedTool } from '../connection/index.ts';
import type { Failure } from '../transport/index.ts';

/**
 * What an error says about a call. `answered`: the server answered with an error. `refused`: the
 * server did not run it, because it does not know the session any more. `late`: no answer in time.
 * `lost`: the connection ended, and nobody knows what the call did.
 */
export type Outcome = 'answered' | 'refused' | 'late' | 'lost';

/** What an error of a call says. `hasEnded`: whether the connection has ended. */
export function outcomeOf(error: unknown, hasEnded: boolean): Outcome {
  const code = own(error, 'code');
  const data = own(error, 'data');
  const status = own(data, 'status') ?? own(error, 'status');
  // A server over HTTP answers so when it has forgotten the session, for example after a restart.
  if (status === 404) return 'refused';
  if (code === 'REQUEST_TIMEOUT') return 'late';
  if (own(data, 'outcome') === 'unknown' || GATEWAY_ERRORS.has(status)) return 'lost';
  if (typeof code === 'number') return 'answered';
  const isLost = hasEnded || (typeof code === 'string' && LOST.test(code)) || isFetchFailure(error);
  return isLost ? 'lost' : 'answered';
}

/** A gateway answers so when the server behind it did not, which may have run the call. */
const GATEWAY_ERRORS: ReadonlySet<unknown> = new Set([502, 503, 504]);

/** Codes of errors of a connection, by Node and the SDK. */
const LOST = /^(?:E[A-Z\d]+|ERR_STREAM\w*|UND_ERR\w*|CONNECTION_CLOSED|NOT_CONNECTED|SEND_FAILED)$/;

/** `fetch` throws a `TypeError` when a connection fails. */
function isFetchFailure(error: unknown): boolean {
  return error instanceof TypeError && error.cause !== undefined;
}

/** Whether a tool may be called again without asking: a trusted server says that this changes nothing more. */
export function isRepeatable(tool: ListedTool, isTrusted: boolean): boolean {
  const annotations = own(tool, 'annotations');
  if (!isTrusted || !isRecord(annotations)) return false;
  return own(annotations, 'readOnlyHint') === true || own(annotations, 'idempotentHint') === true;
}

/** The error for a call whose outcome nobody knows. The model reads the message. */
export function unknownOutcome(server: string, tool: string, reason: string): ToolfoldError {
  return new ToolfoldError(
    'connection-failed',
    `The outcome of the call of ${tool} is unknown: the MCP server ${server} was lost while it ran (${reason}). It may or may not have taken effect, and was not repeated.`,
    'Check whether it took effect before calling it again.',
  );
}

/** The error for a call without an answer in time. */
export function lateAnswer(server: string, tool: string, milliseconds: number): ToolfoldError {
  return new ToolfoldError(
    'connection-failed',
    `${tool} of the MCP server ${server} did not answer within ${(milliseconds / 1000).toLocaleString('en-US')} s and was cancelled. It may or may not have taken effect.`,
    'Check whether it took effect before calling it again.',
  );
}

/** The error for a call of a tool that is no longer the one that was listed. */
export function changedTool(server: string, tool: string, isGone: boolean): ToolfoldError {
  return new ToolfoldError(
    'connection-failed',
    isGone
      ? `The MCP server ${server} no longer has the tool ${tool}. It was not called.`
      : `The tool ${tool} of the MCP server ${server} is no longer the one that was listed. It was not called.`,
    isGone ? 'Look for another tool in the list.' : 'Read its new schema, and call it again.',
  );
}

/** The error for a server that cannot be used. `waits`: milliseconds until the next attempt. */
export function unusableServer(
  server: string,
  { reason, remedy }: Failure,
  waits = 0,
): ToolfoldError {
  const seconds = Math.ceil(waits / 1000);
  const next =
    Number.isFinite(waits) && waits > 0 ? ` The next attempt is possible in ${seconds} s.` : '';
  return new ToolfoldError(
    'connection-failed',
    `The MCP server ${server} cannot be used: ${reason}.${next}`,
    remedy,
  );
}
