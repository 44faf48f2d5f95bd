import type { Fetch } from './bounded-fetch.ts';

/**
 * The authentication of one server over HTTP. The SDK's transports call `token` before each request and
 * `onUnauthorized` after an answer 401; then they send the request once more.
 */
export interface HttpAuth {
  /** Texts that must never be shown: secrets of the entry, and tokens. The list changes in place. */
  readonly secrets: readonly string[];
  /** The token for the next request; `undefined` if there is none. */
  token(): Promise<string | undefined>;
  /** Makes another token available. Rejects with the SDK's `UnauthorizedError` if a login is needed. */
  onUnauthorized(context: { readonly response: Response }): Promise<void>;
  /** Reports which token the server refused with this response. Called before `onUnauthorized`. */
  rejected(response: Response, token: string): void;
  /** Gets each answer 403, which may say that the login lacks a scope. Never rejects. */
  insufficient?(response: Response): Promise<void>;
}

/**
 * A `fetch` that reports the token of each request that was answered 401, and each answer 403. Without
 * the former, two requests with the same old token would refresh it twice.
 */
export function noteRejections(fetch: Fetch, authProvider: HttpAuth): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.status === 403) await authProvider.insufficient?.(response);
    if (response.status !== 401) return response;
    const authorization = new Headers(init?.headers).get('authorization') ?? '';
    const token = /^Bearer (.+)$/.exec(authorization)?.[1];
    if (token !== undefined) authProvider.rejected(response, token);
    return response;
  };
}
