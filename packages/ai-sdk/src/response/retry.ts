import {
  ownProperties,
  ownProperty,
  plainLine,
  raceAbort,
  retryAfterIn,
} from '@toolfold/core/internal/values';
import {
  APICallError,
  InvalidArgumentError,
  type LanguageModel,
  UnsupportedFunctionalityError,
  wrapLanguageModel,
} from 'ai';
import type { LanguageModelV4Middleware } from '../protocol/index.ts';
import { type ModelObject, resolveModel } from './model.ts';

/** As in the AI SDK: two more attempts, after two and four seconds unless the response says when. */
const RETRIES = 2;
const FIRST_DELAY = 2_000;
/** The longest time that is waited because a response asks for it, in milliseconds. */
const MAX_DELAY = 120_000;

interface RetryOptions {
  /** Ends a wait at once. */
  readonly signal?: AbortSignal | undefined;
  /** How often a request that failed is sent again. */
  readonly retries?: number | undefined;
  /** Called before the wait of so many milliseconds. The request was sent `attempt` times. */
  readonly onRetry?: (error: unknown, delay: number, attempt: number) => Promise<void>;
}

/**
 * Sends a request again if it may succeed then. Rejects with the last error, or with the signal's reason. The retries of
 * the SDK cannot stand in its place: they wait for a response for less than a minute, and repeat a whole model call.
 */
export async function withRetries<T>(
  send: () => PromiseLike<T>,
  { signal, retries, onRetry }: RetryOptions,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      signal?.throwIfAborted();
      const delay = retryDelay(error, attempt, retries);
      if (delay === undefined) throw error;
      await onRetry?.(error, delay, attempt + 1);
      await wait(delay, signal);
    }
  }
}

/** The model, with its own retries: the SDK gets `maxRetries: 0`. */
export function retrying(model: LanguageModel, options: Omit<RetryOptions, 'signal'>): ModelObject {
  const middleware: LanguageModelV4Middleware = {
    specificationVersion: 'v4',
    wrapStream: ({ doStream, params: { abortSignal: signal } }) =>
      withRetries(doStream, { ...options, signal }),
    wrapGenerate: ({ doGenerate, params: { abortSignal: signal } }) =>
      withRetries(doGenerate, { ...options, signal }),
  };
  return wrapLanguageModel({ model: resolveModel(model), middleware });
}

/**
 * Milliseconds after which a request that failed is sent again. Undefined if it is not: it cannot succeed, it was sent
 * often enough, or the response asks for a longer wait. `attempt`: how often it was sent again already.
 */
export function retryDelay(
  error: unknown,
  attempt: number,
  retries: number = RETRIES,
): number | undefined {
  if (attempt >= retries || !isRetryable(error) || isQuotaUsedUp(error)) return;
  const failed = APICallError.isInstance(error) ? error : ownProperty(error, 'cause');
  const headers = APICallError.isInstance(failed) ? failed.responseHeaders : undefined;
  const asked = retryAfter(headers);
  if (asked !== undefined) return asked <= MAX_DELAY ? asked : undefined;
  const full = resetIn(headers);
  return full !== undefined && full <= MAX_DELAY ? full : FIRST_DELAY * 2 ** attempt;
}

/**
 * Whether the quota of the plan is used up, in the words of OpenAI and of servers with its format. The AI SDK would
 * send the request again, as for each status 429.
 */
export function isQuotaUsedUp(error: unknown): boolean {
  const data = ownProperty(error, 'data');
  const { code, type } = ownProperties(ownProperty(data, 'error') ?? data);
  return code === 'insufficient_quota' || type === 'insufficient_quota';
}

type Headers = Readonly<Record<string, string>> | undefined;

/**
 * The delay that headers of a response ask for, in milliseconds. OpenAI sends `retry-after-ms` besides
 * `retry-after`. A date is read by the clock of the server that wrote it.
 */
export function retryAfter(headers: Headers): number | undefined {
  const milliseconds = Number.parseFloat(headers?.['retry-after-ms'] ?? '');
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return milliseconds;
  return retryAfterIn(headers?.['retry-after'] ?? '', nowOf(headers));
}

/** The time of the server, if it says it. */
function nowOf(headers: Headers): number {
  const now = Date.parse(headers?.date ?? '');
  return Number.isNaN(now) ? Date.now() : now;
}

/** What may be used up, and the headers that count it: of OpenAI and of Anthropic. */
const COUNTED: readonly (readonly [remaining: string, reset: string])[] = [
  ...['requests', 'tokens'].map(
    (what) => [`x-ratelimit-remaining-${what}`, `x-ratelimit-reset-${what}`] as const,
  ),
  ...['requests', 'tokens', 'input-tokens', 'output-tokens'].map(
    (what) =>
      [`anthropic-ratelimit-${what}-remaining`, `anthropic-ratelimit-${what}-reset`] as const,
  ),
];

/**
 * The time after which all that is used up is there again, in milliseconds. It is less exact than `retry-after`, since a
 * part may be there earlier. OpenAI writes a duration such as `6m0s` (platform.openai.com/docs/guides/rate-limits),
 * Anthropic a time of RFC 3339 (docs.claude.com/en/api/rate-limits).
 */
function resetIn(headers: Headers): number | undefined {
  const times = COUNTED.flatMap(([remaining, reset]) => {
    const text = headers?.[reset] ?? '';
    if (headers?.[remaining]?.trim() !== '0') return [];
    const time = durationIn(text) ?? Date.parse(text) - nowOf(headers);
    return time >= 0 ? [time] : [];
  });
  return times.length === 0 ? undefined : Math.max(...times);
}

const UNITS: Readonly<Record<string, number>> = {
  ...{ ms: 1, s: 1_000, m: 60_000, h: 3_600_000 },
};

/** A duration such as `1h2m3.5s` or `20ms`, in milliseconds. */
function durationIn(text: string): number | undefined {
  const parts = [...text.trim().matchAll(/(\d{1,9}(?:\.\d{1,9})?)(ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text.trim()) return;
  return parts.reduce((sum, [, number, unit = '']) => sum + Number(number) * (UNITS[unit] ?? 0), 0);
}

async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  try {
    await raceAbort(promise, signal);
  } finally {
    clearTimeout(timer);
  }
}

// The statuses of gateways and older endpoints for unknown fields and headers. Not 401, 404, 413 or
// 429: these do not depend on the form.
const REFUSING: readonly (number | undefined)[] = [400, 403, 422, 501];

// Words in an error that is about the form and not about a single schema: fields and headers of the
// forms, and common phrases of refusal.
const ABOUT_THE_FORM =
  /tool_addition|tool_definition|tool_reference|defer_loading|additional_tools|tool_search|namespace|\bbeta|extra inputs|mid.?conversation|role.{0,20}system|not (supported|permitted|allowed)|unsupported|unknown (field|parameter)|unrecognized/i;

/** A failure that may be caused by the appended tools. */
interface FormRefusal {
  readonly why: string;
  /** The error is about the form itself, so other conversations would fail too. */
  readonly isAboutForm: boolean;
}

/** Why an endpoint or the AI SDK's provider may have refused the appended tools; undefined for other failures. */
export function refusalIn(error: unknown): FormRefusal | undefined {
  if (UnsupportedFunctionalityError.isInstance(error))
    return { why: plainLine(error.message, 200), isAboutForm: true };
  // An older provider of the AI SDK knows the option of another form, and refuses this one's before it sends anything.
  if (InvalidArgumentError.isInstance(error))
    return { why: plainLine(error.message, 200), isAboutForm: false };
  if (!APICallError.isInstance(error) || !REFUSING.includes(error.statusCode)) return;
  return {
    why: `HTTP ${error.statusCode}: ${plainLine(error.message, 200)}`,
    isAboutForm: ABOUT_THE_FORM.test(error.message),
  };
}

/** Whether the same request may succeed later. The SDK retries it by itself, also after errors of its gateway. */
export function isRetryable(error: unknown): boolean {
  return ownProperty(error, 'isRetryable') === true;
}
