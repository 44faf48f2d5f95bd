import { RequestError, type StopReason } from '@agentclientprotocol/sdk';
import { type AgentEvent, type EndReason, failureFacts } from '@toolfold/agent/internal/events';
import { errorMessage, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { failureLines } from '../shown/index.ts';

/** Codes of JSON-RPC and of the protocol. */
const CODE = {
  invalidRequest: -32600,
  invalidParams: -32602,
  internal: -32603,
  notFound: -32002,
} as const;

/** Some editors, such as Toad, show `details` of the data and not the message. */
function refusal(code: number, message: string, data: object = {}): RequestError {
  return new RequestError(code, message, { ...data, details: message });
}

/** A parameter that cannot be used. The sentence says what is expected. */
export function invalidParams(message: string): RequestError {
  return refusal(CODE.invalidParams, message);
}

/** A request that is not possible now. */
export function notNow(message: string): RequestError {
  return refusal(CODE.invalidRequest, message);
}

/** There is no such session, or it is not open. */
export function unknownSession(sessionId: string, message: string): RequestError {
  return refusal(CODE.notFound, message, { sessionId });
}

/** The codes of Toolfold's errors for which the protocol has one of its own. */
const CODES: Readonly<Partial<Record<string, number>>> = {
  'session-unknown': CODE.notFound,
  'session-busy': CODE.invalidRequest,
};

/** Something failed here. The code is that of the error or of the end of a turn. */
function failed(message: string, code: string | undefined): RequestError {
  if (code === undefined) return refusal(CODE.internal, message);
  return refusal(CODES[code] ?? CODE.internal, message, { code });
}

/**
 * The error that a client gets. Errors of Toolfold carry their code in `data`; no error carries a stack.
 */
export function refusalOf(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  return failed(errorMessage(error), error instanceof ToolfoldError ? error.code : undefined);
}

/** Why a turn stopped, in the protocol's words. `error` has none: the request fails. */
export const STOP_REASONS: Readonly<Record<Exclude<EndReason, 'error'>, StopReason>> = {
  done: 'end_turn',
  // The conversation keeps the answer. A `refusal` would say that it does not.
  'content-filter': 'end_turn',
  other: 'end_turn',
  // Only a client that cannot be asked leaves an approval open.
  approval: 'end_turn',
  length: 'max_tokens',
  rounds: 'max_turn_requests',
  cancelled: 'cancelled',
};

/** The error of a turn that has failed. Its code is in `data`. */
export function turnFailure(end: Extract<AgentEvent, { type: 'end' }>): Error {
  const facts = failureFacts(end.error);
  return failed(failureLines({ ...end, facts }, 'editor').join(' '), end.code);
}
