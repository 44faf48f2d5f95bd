import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { ownProperty } from '@toolfold/core/internal/values';
import { APICallError, type FinishReason, RetryError } from 'ai';

/**
 * Why a turn ended. `done`: the answer is complete. `approval`: the user must answer. `rounds`: no
 * rounds were left, or another budget of the turn was used up. `length`: the model's output limit was reached. `content-filter`: the provider's
 * filter stopped the answer. `other`: the provider gave another reason or none. `cancelled`: the
 * signal fired or the reader stopped. `error`: the turn failed.
 */
export type EndReason =
  | 'done'
  | 'approval'
  | 'rounds'
  | 'length'
  | 'content-filter'
  | 'other'
  | 'cancelled'
  | 'error';

/**
 * A limit of a turn beside its rounds. `requests` and `tokens`: those of the turn are used up. `loads`: too many
 * answers in a row have only loaded or searched tools.
 */
export type Budget = 'requests' | 'tokens' | 'loads';

/** Finish reasons of servers that imitate another provider's format, for a complete answer. */
const WHOLE = /^(eos|eos_token|end_turn|stop_sequence|stop)$/i;

/**
 * Maps the finish reason of the last answer to the end reason of the turn. `raw`: the provider's own
 * finish reason. The AI SDK (@ai-sdk/anthropic 4) reports Anthropic's `pause_turn` as `stop`, but the
 * provider waits for the messages to be sent again.
 */
export function endReasonOf(reason: FinishReason, raw: string | undefined): EndReason {
  switch (reason) {
    case 'stop':
      return raw === 'pause_turn' ? 'other' : 'done';
    case 'tool-calls':
      return 'rounds';
    case 'length':
    case 'content-filter':
    case 'error':
      return reason;
    default:
      return raw !== undefined && WHOLE.test(raw) ? 'done' : 'other';
  }
}

/**
 * Why a turn failed, in one word. `model-refused`: the key or the model. `rate-limited`: too many requests.
 * `overloaded`: the provider cannot answer at present. `network`: no answer came. `invalid-request`: the
 * provider does not accept the request. `session-busy`: another process writes the session, so no turn has
 * begun. `session-lost`: another process has taken the session.
 * `session-unavailable`: the session cannot be written, such as on a full disk.
 */
export type EndCode =
  | 'model-refused'
  | 'rate-limited'
  | 'overloaded'
  | 'network'
  | 'invalid-request'
  | 'session-busy'
  | 'session-lost'
  | 'session-unavailable'
  | 'unknown';

const BY_STATUS: Readonly<Record<number, EndCode>> = {
  401: 'model-refused',
  403: 'model-refused',
  429: 'rate-limited',
  502: 'overloaded',
  503: 'overloaded',
  504: 'overloaded',
  529: 'overloaded',
};

/** Codes of Toolfold's own errors. */
const OWN = ['model-refused', 'session-busy', 'session-lost', 'session-unavailable'] as const;

/** Codes of Node and undici for a connection that failed or broke. */
const NETWORK =
  /^(ECONN\w+|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|EHOST\w+|ENET\w+|UND_ERR_\w+|CERT_\w+|DEPTH_ZERO\w+)$/;

/** Maximum number of causes that are followed. */
const MAX_DEPTH = 8;

/** An error and its causes, in this order. */
export function causesOf(error: unknown): readonly unknown[] {
  const all: unknown[] = [];
  for (let now = error; now !== undefined && all.length < MAX_DEPTH; ) {
    all.push(now);
    now = RetryError.isInstance(now) ? now.lastError : ownProperty(now, 'cause');
  }
  return all;
}

/** The code of an error that ended a turn. */
export function endCodeOf(error: unknown): EndCode {
  return (
    causesOf(error)
      .map(codeOf)
      .find((code) => code !== undefined) ?? 'unknown'
  );
}

/** The HTTP status of a failed request, if there was an answer. */
export function statusOf(error: unknown): number | undefined {
  const failed = RetryError.isInstance(error) ? error.lastError : error;
  const status = ownProperty(failed, 'statusCode');
  return typeof status === 'number' ? status : undefined;
}

function codeOf(error: unknown): EndCode | undefined {
  if (error instanceof ToolfoldError) {
    const known = OWN.find((code) => code === error.code);
    if (known) return known;
  }
  const status = statusOf(error);
  if (status !== undefined && status >= 400)
    return BY_STATUS[status] ?? (status < 500 ? 'invalid-request' : 'unknown');
  const code = ownProperty(error, 'code');
  if (typeof code === 'string' && NETWORK.test(code)) return 'network';
  if (APICallError.isInstance(error) && status === undefined && error.isRetryable) return 'network';
  return error instanceof TypeError && /^(fetch failed|terminated)$/.test(error.message)
    ? 'network'
    : undefined;
}
