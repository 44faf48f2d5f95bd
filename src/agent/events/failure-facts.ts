import { RetryError } from 'ai';
import { retryAfter } from '../../ai-sdk/rounds/index.ts';
import { ownProperty } from '../../tools/values/index.ts';
import { publicUrl } from './turn-error.ts';

/** What is known of a failed request besides its message. */
export interface FailureFacts {
  /** The HTTP status, if there was an answer. */
  readonly status?: number;
  /** Where the request was sent, without user, password and query. */
  readonly address?: string;
  /** Seconds after which the provider may be asked again, as it says. */
  readonly wait?: number;
}

/** The facts of an error, or of the plain data that a session keeps of it. */
export function failureFacts(error: unknown): FailureFacts {
  const last = RetryError.isInstance(error) ? error.lastError : error;
  const cause = ownProperty(last, 'cause');
  const failed = ownProperty(last, 'url') === undefined && cause !== undefined ? cause : last;
  const [status, url] = [ownProperty(failed, 'statusCode'), ownProperty(failed, 'url')];
  const headers = ownProperty(failed, 'responseHeaders') as Parameters<typeof retryAfter>[0];
  const wait = retryAfter(headers);
  return {
    ...kept(last),
    ...(typeof status === 'number' ? { status } : {}),
    ...(typeof url === 'string' ? { address: publicUrl(url) } : {}),
    ...(wait === undefined ? {} : { wait: Math.ceil(wait / 1000) }),
  };
}

function kept(error: unknown): FailureFacts {
  const [status, address, wait] = ['status', 'address', 'wait'].map((key) =>
    ownProperty(error, key),
  );
  return {
    ...(typeof status === 'number' ? { status } : {}),
    ...(typeof address === 'string' ? { address } : {}),
    ...(typeof wait === 'number' ? { wait } : {}),
  };
}

/** The error of a turn as plain data. */
export function plainFailure(error: Error): Error & FailureFacts {
  const { name, message } = error;
  return { name, message, ...failureFacts(error) };
}
