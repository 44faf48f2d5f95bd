/** The answer of a server over HTTP to a request of the handshake. */
export interface HandshakeAnswer {
  readonly status: number;
  /** Whether it names a way to log in (`WWW-Authenticate`). */
  readonly hasChallenge: boolean;
}

const HANDSHAKE: ReadonlySet<unknown> = new Set(['initialize', 'server/discover']);

/** How a server over HTTP answered the handshake, which the SDK's errors do not always say. */
export class HandshakeLog {
  readonly #answers = new Map<unknown, HandshakeAnswer>();

  /** Call this for each answer to a request. */
  add(method: unknown, { status, headers }: Response): void {
    if (!HANDSHAKE.has(method)) return;
    this.#answers.set(method, { status, hasChallenge: headers.has('www-authenticate') });
  }

  /** The last answer to this method. */
  answerTo(method: 'initialize' | 'server/discover'): HandshakeAnswer | undefined {
    return this.#answers.get(method);
  }
}
