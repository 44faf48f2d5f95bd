import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { raceAbort } from '../../../tools/values/index.ts';

/** Options of `openCallbackServer`. */
export interface CallbackServerOptions {
  /** 0 is any free port. */
  readonly port: number;
  /** The path of the redirect. Default: a random path. */
  readonly path?: string | undefined;
}

const NOT_FOUND = [404, 'There is nothing at this address.'] as const;

/** Starts to listen. Rejects if the port is in use. */
export async function openCallbackServer(options: CallbackServerOptions): Promise<CallbackServer> {
  const path = options.path ?? `/${randomBytes(16).toString('hex')}`;
  const listener = new CallbackServer(path);
  await listener.listen(options.port);
  return listener;
}

/** A listener on 127.0.0.1 for the browser's answer to one login. */
export class CallbackServer {
  readonly #path: string;
  readonly #server: Server;
  readonly #received: PromiseWithResolvers<URLSearchParams> = Promise.withResolvers();
  #state: string | undefined;
  #waiting: ServerResponse | undefined;

  constructor(path: string) {
    this.#path = path;
    this.#server = createServer((request, response) => this.#handle(request, response));
  }

  async listen(port: number): Promise<void> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get redirectUrl(): string {
    return `http://${this.#host}${this.#path}`;
  }

  get #host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /**
   * The parameters of the first answer with this `state`. Everything else gets an error page. Rejects with
   * the reason of the signal.
   */
  answer(state: string, signal: AbortSignal): Promise<URLSearchParams> {
    this.#state = state;
    return raceAbort(this.#received.promise, signal);
  }

  /** Shows the result in the browser, and ends the listener with all its connections. */
  async close(result: 'done' | 'failed'): Promise<void> {
    const waiting = this.#waiting;
    if (waiting !== undefined && !waiting.destroyed) {
      const isDone = result === 'done';
      const title = isDone ? 'You are logged in' : 'The login failed';
      const more = isDone ? '' : ' The program says what happened.';
      waiting.writeHead(isDone ? 200 : 400, pageHeaders);
      await new Promise<void>((resolve) => {
        waiting.once('close', resolve);
        waiting.end(page(title, `You can close this window.${more}`), () => resolve());
      });
    }
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const answer = this.#answerIn(request);
    if (answer instanceof URLSearchParams) {
      this.#waiting = response;
      this.#received.resolve(answer);
      return;
    }
    const [status, text] = answer;
    response.writeHead(status, pageHeaders);
    response.end(page('This is not the expected answer', text));
  }

  /** The parameters of the answer to this login, or why a request is not the answer. */
  #answerIn(request: IncomingMessage): URLSearchParams | readonly [number, string] {
    const url = URL.parse(request.url ?? '', this.redirectUrl);
    if (url?.pathname !== this.#path || request.headers.host !== this.#host) return NOT_FOUND;
    if (request.method !== 'GET' || !isNavigation(request)) {
      return [403, 'Only a browser window may open this address.'];
    }
    const { searchParams } = url;
    if (this.#state === undefined || searchParams.getAll('state').length !== 1) {
      return [400, 'The address has no valid state.'];
    }
    if (!hasState(searchParams, this.#state)) {
      return [400, 'The address belongs to another login. Start the login again.'];
    }
    return this.#waiting ? [409, 'The answer was already received.'] : searchParams;
  }
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
