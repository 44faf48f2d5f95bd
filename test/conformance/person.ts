import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { login, type ServerEntry } from '@toolfold/mcp';

/** Options of `logIn`. */
export interface PersonOptions {
  /** The folder of the logins. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Logs in as a person with a browser would. The suite's authorization servers agree at once. */
export async function logIn(
  server: string,
  entry: ServerEntry,
  { folder, signal }: PersonOptions,
): Promise<void> {
  const browser = new AbortController();
  const either = AbortSignal.any([signal, browser.signal]);
  const onUrl = (url: string): void => {
    // The page of the callback is complete only when the login is.
    browse(url, either).catch((error: unknown) => browser.abort(error));
  };
  await login(server, entry, { folder, signal: either, onUrl });
}

/** Opens the address in a window: follows the redirect to the listener of the login. */
async function browse(url: string, signal: AbortSignal): Promise<void> {
  const { headers, statusCode } = await open(url, signal);
  if (headers.location === undefined) {
    throw new Error(`the authorization server did not redirect (HTTP ${statusCode})`);
  }
  await open(new URL(headers.location, url).href, signal);
}

/** `fetch` says in its headers that it is a script. The listener accepts only windows. */
async function open(url: string, signal: AbortSignal): Promise<IncomingMessage> {
  const [response] = await once(get(url, { signal }), 'response');
  return response.resume();
}
