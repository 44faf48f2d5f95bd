import { ownProperty } from '../../tools/values/index.ts';

/** Requests that change nothing at a server. */
const REPEATABLE: ReadonlySet<unknown> = new Set([
  'initialize',
  'notifications/initialized',
  'ping',
  'server/discover',
  'tools/list',
]);

/** Codes of a connection that ended before there was an answer. */
const RESET: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/**
 * As `fetch`, but sends a request that changes nothing once more if the connection ended before there was
 * an answer. A server may close an idle connection at the moment in which it is used again.
 */
export async function repeatedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    const code = error instanceof Error ? ownProperty(error.cause, 'code') : undefined;
    if (!RESET.has(code) || !isRepeatable(init?.body)) throw error;
    return fetch(url, init);
  }
}

function isRepeatable(body: unknown): boolean {
  if (typeof body !== 'string') return false;
  return REPEATABLE.has(ownProperty(JSON.parse(body), 'method'));
}
