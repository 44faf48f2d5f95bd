import { isQuotaUsedUp, retryAfter } from '@toolfold/ai-sdk/internal/response';
import { errorMessage, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import type { ModelIdentity } from '@toolfold/core/internal/models';
import { ownProperties, ownProperty, pick, truncate } from '@toolfold/core/internal/values';
import { APICallError, RetryError } from 'ai';
import { statusOf } from './end.ts';
import type { AgentEvent, TurnError } from './events.ts';

/** The maximum length of the provider's message. */
const MAX_WORDS = 300;

const HINT =
  'Check that the API key of the provider is complete and valid, and that it may use this model.';

/**
 * Converts a thrown value to an error. For a refused key (status 401 or 403) the error names the
 * provider and its address. `hint` replaces the default hint.
 */
export function turnError(error: unknown, model: ModelIdentity, hint: string = HINT): TurnError {
  if (APICallError.isInstance(error) && (error.statusCode === 401 || error.statusCode === 403)) {
    return new ToolfoldError(
      'model-refused',
      `The provider ${model.provider.split('.')[0]} refused the request for ${model.modelId} with status ${error.statusCode} at ${publicUrl(error.url)}${words(error)}.`,
      hint,
      error,
    );
  }
  return error instanceof Error ? error : new Error(errorMessage(error), { cause: error });
}

/** The address without user, password, query and fragment, because each may contain a key. */
export function publicUrl(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.origin}${parsed.pathname}` : 'an address that is not a URL';
}

function words({ message }: APICallError): string {
  const text = message
    .trim()
    .slice(0, MAX_WORDS)
    .replace(/[.\s]+$/, '');
  return text === '' ? '' : `: ${text}`;
}

/** The event before the wait of so many milliseconds. The request was sent `attempt` times. */
export function retryEvent(
  error: unknown,
  wait: number,
  attempt: number,
): Extract<AgentEvent, { type: 'retry' }> {
  return {
    type: 'retry',
    attempt: attempt + 1,
    wait,
    ...pick({ status: statusOf(error) }, 'status'),
  };
}

/** What is known of a failed request besides its message. */
export interface FailureFacts {
  /** The HTTP status, if there was an answer. */
  readonly status?: number;
  /** Where the request was sent, without user, password and query. */
  readonly address?: string;
  /** Seconds after which the provider may be asked again, as it says. */
  readonly wait?: number;
  /** The quota of the plan is used up: the provider refuses each request until that changes. */
  readonly isUsedUp?: true;
  /** The provider did not take a file of the request, such as a damaged image. */
  readonly isAboutFile?: true;
}

/**
 * How providers refuse a file. Anthropic: "Could not process image" (github.com/anthropics/claude-code/issues/56016), "image exceeds 5 MB
 * maximum" (10612), "At least one of the image dimensions exceed max allowed size" (13480). OpenAI: "You uploaded an unsupported
 * image" (github.com/CosmosShadow/gptpdf/issues/6).
 */
const ABOUT_FILE = /\b(image|pdf|document)s?\b/i;
const REFUSED =
  /could not|cannot|unable|fail|invalid|not\b.*\bvalid|(un|not )support|exceed|corrupt|damaged|too (large|many)/i;

function isAboutFile({ message, status }: { readonly message: unknown; readonly status: unknown }) {
  const words = typeof message === 'string' ? message : '';
  return (status === 400 || status === 422) && ABOUT_FILE.test(words) && REFUSED.test(words);
}

/** The facts of an error, or of the plain data that a session keeps of it. */
export function failureFacts(error: unknown): FailureFacts {
  const last = RetryError.isInstance(error) ? error.lastError : error;
  const cause = ownProperty(last, 'cause');
  const failed = ownProperty(last, 'url') === undefined && cause !== undefined ? cause : last;
  const { statusCode: status, url, responseHeaders } = ownProperties(failed);
  const wait = retryAfter(responseHeaders as Parameters<typeof retryAfter>[0]);
  return {
    ...kept(last),
    ...(typeof status === 'number' ? { status } : {}),
    ...(typeof url === 'string' ? { address: publicUrl(url) } : {}),
    ...(wait === undefined ? {} : { wait: Math.ceil(wait / 1000) }),
    ...(isQuotaUsedUp(failed) ? { isUsedUp: true } : {}),
    ...(isAboutFile({ message: ownProperty(failed, 'message'), status })
      ? { isAboutFile: true }
      : {}),
  };
}

function kept(error: unknown): FailureFacts {
  const { status, address, wait, isUsedUp, isAboutFile } = ownProperties(error);
  return {
    ...(typeof status === 'number' ? { status } : {}),
    ...(typeof address === 'string' ? { address } : {}),
    ...(typeof wait === 'number' ? { wait } : {}),
    ...(isUsedUp === true ? { isUsedUp } : {}),
    ...(isAboutFile === true ? { isAboutFile } : {}),
  };
}

/** The error of a turn as plain data. */
export function plainFailure(error: Error): Error & FailureFacts {
  const { name, message } = error;
  return { name, message, ...failureFacts(error) };
}

/** Maximum characters of one text or output in a progress event. The child itself sees all of it. */
const MAX_OUTPUT = 10_000;

/** Fields of events that may be long. */
const LONG: Readonly<Partial<Record<AgentEvent['type'], readonly string[]>>> = {
  user: ['text'],
  call: ['raw', 'arguments'],
  approval: ['arguments'],
  result: ['output'],
  failure: ['error'],
  discarded: ['text', 'reasoning'],
  end: ['text'],
};

/** The event as bounded plain data: errors as name and message, long outputs as the beginning of their text. */
export function plainEvent(event: AgentEvent): AgentEvent {
  if (event.type === 'subagent') return { ...event, event: plainEvent(event.event) };
  const bounded: Record<string, unknown> = { ...event };
  for (const name of LONG[event.type] ?? [])
    if (Object.hasOwn(bounded, name)) bounded[name] = plain(bounded[name]);
  if (event.type === 'end' && event.error) bounded.error = plainFailure(event.error);
  return bounded as unknown as AgentEvent;
}

/** The value as plain data. A long text becomes its beginning, and another long value that of its JSON. */
export function plain(value: unknown): unknown {
  if (typeof value === 'string') return truncate(value, MAX_OUTPUT);
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch {
    json = JSON.stringify(String(value));
  }
  if (json === undefined) return null;
  return json.length > MAX_OUTPUT ? `${json.slice(0, MAX_OUTPUT)} …` : JSON.parse(json);
}
