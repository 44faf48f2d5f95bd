import type { StoredLogin } from './stored-login.ts';

/** Milliseconds before the end of a token when it is refreshed. */
const MARGIN = 60_000;

/** Whether the access token ends soon or has ended. A token without a known end never does. */
export function isEnding({ tokens, receivedAt }: StoredLogin, now: number): boolean {
  if (tokens?.expires_in === undefined || receivedAt === undefined) return false;
  const lifetime = tokens.expires_in * 1000;
  // A token that lives for less than two minutes would otherwise be refreshed for every request.
  return now >= receivedAt + lifetime - Math.min(MARGIN, lifetime / 2);
}

/** When the access token ends, in milliseconds since 1970; `undefined` if that is unknown. */
export function endOf({ tokens, receivedAt }: StoredLogin): number | undefined {
  if (tokens?.expires_in === undefined || receivedAt === undefined) return undefined;
  return receivedAt + tokens.expires_in * 1000;
}
