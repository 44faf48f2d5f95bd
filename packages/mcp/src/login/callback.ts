import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { raceAbort } from '@toolfold/core/internal/values';
import type { PendingLogin } from './login-store.ts';

const NOT_FOUND = [404, 'There is nothing at this address.'] as const;

/** A listener on 127.0.0.1 for the browser's answer to one login. */
export interface CallbackServer {
  readonly redirectUrl: string;
  /**
   * The parameters of the first answer with this `state`. Everything else gets an error page. Rejects with
   * the reason of the signal.
   */
  answer(state: string, signal: AbortSignal): Promise<URLSearchParams>;
  /** Shows the result in the browser, and ends the listener with all its connections. */
  close(result: 'done' | 'failed'): Promise<void>;
}

/**
 * Starts to listen. Rejects if the port is in use. `port`: 0 is any free port. `path`: that of the redirect;
 * by default a random one.
 */
export async function openCallbackServer(
  port: number,
  path: string = `/${randomBytes(16).toString('hex')}`,
): Promise<CallbackServer> {
  const received = Promise.withResolvers<URLSearchParams>();
  let expected: string | undefined;
  let waiting: ServerResponse | undefined;
  const { createServer } = await import('node:http');
  const server = createServer((request, response) => {
    const answer = answerIn(request);
    if (answer instanceof URLSearchParams) {
      waiting = response;
      received.resolve(answer);
      return;
    }
    const [status, text] = answer;
    response.writeHead(status, pageHeaders);
    response.end(page('This is not the expected answer', text));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const redirectUrl = `http://${host}${path}`;

  /** The parameters of the answer to this login, or why a request is not the answer. */
  const answerIn = (request: IncomingMessage): URLSearchParams | readonly [number, string] => {
    const url = URL.parse(request.url ?? '', redirectUrl);
    if (url?.pathname !== path || request.headers.host !== host) return NOT_FOUND;
    if (request.method !== 'GET' || !isNavigation(request)) {
      return [403, 'Only a browser window may open this address.'];
    }
    const { searchParams } = url;
    if (expected === undefined || searchParams.getAll('state').length !== 1) {
      return [400, 'The address has no valid state.'];
    }
    if (!hasState(searchParams, expected)) {
      return [400, 'The address belongs to another login. Start the login again.'];
    }
    return waiting ? [409, 'The answer was already received.'] : searchParams;
  };

  return {
    redirectUrl,
    answer: (state, signal) => {
      expected = state;
      return raceAbort(received.promise, signal);
    },
    close: async (result) => {
      const response = waiting;
      if (response !== undefined && !response.destroyed) {
        const isDone = result === 'done';
        const title = isDone ? 'You are logged in' : 'The login failed';
        const more = isDone ? '' : ' The program says what happened.';
        response.writeHead(isDone ? 200 : 400, pageHeaders);
        await new Promise<void>((resolve) => {
          response.once('close', resolve);
          response.end(page(title, `You can close this window.${more}`), () => resolve());
        });
      }
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Whether a browser opened the address in a window, not a script or an image of a page of another origin. */
function isNavigation({ headers }: IncomingMessage): boolean {
  const mode = headers['sec-fetch-mode'] ?? 'navigate';
  const target = headers['sec-fetch-dest'] ?? 'document';
  return headers.origin === undefined && mode === 'navigate' && target === 'document';
}

/** Whether an answer has this state and no other one. Compares in constant time. */
export function hasState(answer: URLSearchParams, state: string): boolean {
  const [given, ...others] = answer.getAll('state');
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  if (given === undefined || others.length > 0) return false;
  return timingSafeEqual(digest(given), digest(state));
}

/** A plain page without scripts and without anything from the request. */
function page(title: string, text: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title></head>
<body><h1>${title}</h1><p>${text}</p></body>
</html>
`;
}

/** Headers of every page. The address holds a code, so nothing may keep it or send it on. */
const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  connection: 'close',
};

/**
 * What the user types during a login: the address to which the browser was sent at the end. A browser on
 * another computer cannot open it.
 */
export interface PastedAnswers {
  /** The lines that the user types. They end when the signal aborts. */
  readonly lines: (signal: AbortSignal) => AsyncIterable<string>;
  /** Called with a text for people if a line is not the answer. */
  readonly onWrong: (text: string) => void;
}

/** The parameters of the first answer: `received` from the browser, or pasted by the user. */
export async function firstAnswer(
  received: Promise<URLSearchParams>,
  pasted: PastedAnswers,
  pending: PendingLogin,
): Promise<URLSearchParams> {
  const stop = new AbortController();
  try {
    return await Promise.race([received, pastedAnswer(received, pasted, pending, stop.signal)]);
  } finally {
    stop.abort();
  }
}

/** When the lines end, only the browser can still answer. */
async function pastedAnswer(
  received: Promise<URLSearchParams>,
  { lines, onWrong }: PastedAnswers,
  pending: PendingLogin,
  signal: AbortSignal,
): Promise<URLSearchParams> {
  for await (const line of lines(signal)) {
    const text = line.trim();
    if (text === '') continue;
    const answer = answerIn(text, pending);
    if (typeof answer !== 'string') return answer;
    onWrong(answer);
  }
  return received;
}

function answerIn(text: string, { redirectUrl, state }: PendingLogin): URLSearchParams | string {
  const url = URL.parse(text);
  if (url === null || url.origin + url.pathname !== redirectUrl)
    return 'This is not the address to which the browser was sent. Paste all of it.';
  return hasState(url.searchParams, state)
    ? url.searchParams
    : 'The address belongs to another login.';
}
