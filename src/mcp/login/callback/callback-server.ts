import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { page, pageHeaders } from './callback-page.ts';

/** Options of `openCallbackServer`. */
export interface CallbackServerOptions {
  /** 0 is any free port. */
  readonly port: number;
  /** The path of the redirect. Default: a random path. */
  readonly path?: string | undefined;
}

/** A listener on 127.0.0.1 for the browser's answer to one login. */
export interface CallbackServer {
  /** Where the authorization server sends the browser. */
  readonly redirectUrl: string;
  /**
   * The parameters of the first answer with this `state`. Everything else gets an error page. Rejects with
   * the reason of the signal.
   */
  answer(state: string, signal: AbortSignal): Promise<URLSearchParams>;
  /** Shows the result in the browser, and ends the listener with all its connections. */
  close(result: 'done' | 'failed'): Promise<void>;
}

const NOT_FOUND = [404, 'There is nothing at this address.'] as const;

/** Starts to listen. Rejects if the port is in use. */
export async function openCallbackServer(options: CallbackServerOptions): Promise<CallbackServer> {
  const path = options.path ?? `/${randomBytes(16).toString('hex')}`;
  const listener = new Listener(path);
  await listener.listen(options.port);
  return listener;
}

class Listener implements CallbackServer {
  readonly #path: string;
  readonly #server: Server;
  readonly #received = Promise.withResolvers<URLSearchParams>();
  #state: string | undefined;
  /** The browser that waits for the result. */
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

  async answer(state: string, signal: AbortSignal): Promise<URLSearchParams> {
    this.#state = state;
    signal.throwIfAborted();
    const { promise, reject } = Promise.withResolvers<never>();
    const stop = (): void => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await Promise.race([this.#received.promise, promise]);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

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
    const url = URL.parse(request.url ?? '', this.redirectUrl);
    const refusal = this.#refusal(request, url);
    if (refusal === undefined && url !== null) {
      this.#waiting = response;
      this.#received.resolve(url.searchParams);
      return;
    }
    const [status, text] = refusal ?? NOT_FOUND;
    response.writeHead(status, pageHeaders);
    response.end(page('This is not the expected answer', text));
  }

  /** Why a request is not the answer to this login; `undefined` if it is. */
  #refusal(request: IncomingMessage, url: URL | null): readonly [number, string] | undefined {
    if (url?.pathname !== this.#path || request.headers.host !== this.#host) return NOT_FOUND;
    if (request.method !== 'GET' || !isNavigation(request)) {
      return [403, 'Only a browser window may open this address.'];
    }
    const [state, ...others] = url.searchParams.getAll('state');
    if (this.#state === undefined || state === undefined || others.length > 0) {
      return [400, 'The address has no valid state.'];
    }
    if (!isSameState(state, this.#state)) {
      return [400, 'The address belongs to another login. Start the login again.'];
    }
    return this.#waiting === undefined ? undefined : [409, 'The answer was already received.'];
  }
}

/** Whether a browser opened the address in a window, not a script or an image of a page of another origin. */
function isNavigation({ headers }: IncomingMessage): boolean {
  const mode = headers['sec-fetch-mode'] ?? 'navigate';
  const target = headers['sec-fetch-dest'] ?? 'document';
  return headers.origin === undefined && mode === 'navigate' && target === 'document';
}

/** Compares two states in constant time. */
export function isSameState(first: string, second: string): boolean {
  const [a, b] = [first, second].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
