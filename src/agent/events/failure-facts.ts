import { RetryError } from 'ai';
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
  const wait = waitOf(ownProperty(failed, 'responseHeaders'));
  return {
    ...kept(last),
    ...(typeof status === 'number' ? { status } : {}),
    ...(typeof url === 'string' ? { address: publicUrl(url) } : {}),
    ...(wait === undefined ? {} : { wait }),
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

/** The header of RFC 9110: seconds or a date. */
function waitOf(headers: unknown): number | undefined {
  const given = ownProperty(headers, 'retry-after');
  if (typeof given !== 'string') return;
  const seconds = /^\d+$/.test(given) ? Number(given) : (Date.parse(given) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined;
}
