import { canonicalJson, isRecord, type JsonObject } from '@toolfold/core/internal/values';
import type { ClientRequest } from '../gateway-clients/index.ts';
import type { ServerPool } from '../pool/index.ts';

/**
 * The connections of one server that are used by one request at a time, by number. A request that waits for its client
 * keeps its connection, and takes the turn of nobody else.
 */
export class Leases {
  /** All but the first, which is the shared one. */
  readonly made: Map<number, Promise<ServerPool>> = new Map();
  readonly #atWork: number;
  readonly #used = new Set<number>();
  /** The open questions of each request that waits for its client. */
  readonly #asking = new Map<number, number>();
  readonly #waiting = new Set<() => void>();

  /** `atWork`: maximum requests that are worked on at once. */
  constructor(atWork: number) {
    this.#atWork = atWork;
  }

  /**
   * The lowest free one. A client that sends one request after another always gets the same. Rejects with the
   * signal's reason.
   */
  async take(signal: AbortSignal): Promise<number> {
    signal.throwIfAborted();
    while (!this.#hasTurn) {
      // Another request may have taken the turn meanwhile.
      signal.throwIfAborted();
      await this.#turn(signal);
    }
    let lease = 0;
    while (this.#used.has(lease)) lease += 1;
    this.#used.add(lease);
    return lease;
  }

  giveBack(lease: number): void {
    this.#used.delete(lease);
    this.#asking.delete(lease);
    this.#next();
  }

  /** The server of a connection asks the client. Returns a function for the answer. */
  asks(lease: number): () => void {
    // Clients with a session use the shared connection without a turn.
    if (!this.#used.has(lease)) return () => {};
    this.#asking.set(lease, (this.#asking.get(lease) ?? 0) + 1);
    this.#next();
    return () => {
      const open = (this.#asking.get(lease) ?? 0) - 1;
      if (open > 0) this.#asking.set(lease, open);
      else this.#asking.delete(lease);
    };
  }

  get #hasTurn(): boolean {
    return this.#used.size - this.#asking.size < this.#atWork;
  }

  async #turn(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = (): void => {
      this.#waiting.delete(resolve);
      reject(signal.reason);
    };
    this.#waiting.add(resolve);
    signal.addEventListener('abort', onAbort, { once: true });
    await promise.finally(() => signal.removeEventListener('abort', onAbort));
  }

  #next(): void {
    const [first] = this.#waiting;
    if (first === undefined || !this.#hasTurn) return;
    this.#waiting.delete(first);
    first();
  }
}

/** What clients of one class have in common: they may share connections to servers. */
export interface ClientClass {
  readonly key: string;
  /** What servers are told that the client can do. */
  readonly capabilities: JsonObject;
  /** The answer of the clients to `roots/list`, where servers may ask for it at any time. */
  readonly roots?: JsonObject;
}

/** What counts of each capability. Clients may add more, and each class has connections of its own. */
const COUNTED: Readonly<Record<string, readonly string[]>> = {
  elicitation: ['form', 'url'],
  sampling: ['tools', 'context'],
  roots: ['listChanged'],
};

/**
 * The class of a request's client. Servers may list other tools for other capabilities, and keep the folders
 * of the client for their connection. `roots`: the answer of the client, once it was asked.
 */
export function classOf(
  { capabilities: announced }: Pick<ClientRequest, 'capabilities'>,
  roots: JsonObject | undefined,
): ClientClass {
  const capabilities = Object.fromEntries(
    Object.entries(COUNTED).flatMap(([name, counted]) => {
      const given = announced[name];
      if (!isRecord(given)) return [];
      const kept = counted.flatMap((key): [string, true | JsonObject][] => {
        const value = given[key];
        return value === true ? [[key, true]] : isRecord(value) ? [[key, {}]] : [];
      });
      return [[name, Object.fromEntries(kept)]];
    }),
  ) as JsonObject;
  const key = canonicalJson({ capabilities, roots: roots ?? null });
  return { key, capabilities, ...(roots && { roots }) };
}
