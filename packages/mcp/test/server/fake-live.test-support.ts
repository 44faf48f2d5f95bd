import type { ListedTool, ServerListing } from '../../src/connection/listing.ts';
import {
  ConnectError,
  type LiveConnection,
  type OpenConnectionOptions,
} from '../../src/connection/live-connection.ts';
import { StrayAnswers } from '../../src/transport/messages.ts';
import type { Failure } from '../../src/transport/open-transport.ts';

/** A call that a fake server has received and not answered. */
export interface Received {
  readonly tool: string;
  readonly id: unknown;
  readonly settle: PromiseWithResolvers<unknown>;
}

const failure: Failure = { reason: 'it broke', remedy: 'Wait.' };
export const tools: readonly ListedTool[] = [
  { name: 'unsafe' },
  { name: 'safe', annotations: { readOnlyHint: true } },
];

/** A live connection that does what a test says. */
export class FakeLive implements LiveConnection {
  readonly listing: ServerListing = { tools, duplicates: [], warnings: [] };
  readonly known: undefined;
  readonly hasSession = false;
  readonly strays: StrayAnswers = new StrayAnswers();
  readonly #end: PromiseWithResolvers<Failure> = Promise.withResolvers();
  readonly ended: Promise<Failure> = this.#end.promise;
  readonly waiting: Received[] = [];
  failure: Failure | undefined;
  isClosed = false;
  listener: () => void = () => {};

  call(tool: { readonly name: string }, input: unknown): Promise<unknown> {
    if (this.failure) {
      return Promise.reject(Object.assign(new Error('closed'), { code: 'NOT_CONNECTED' }));
    }
    const settle = Promise.withResolvers<unknown>();
    this.waiting.push({ tool: tool.name, id: (input as { id: unknown }).id, settle });
    return settle.promise;
  }

  request(): Promise<never> {
    return Promise.reject(new Error('not scripted'));
  }

  async otherLists(): Promise<object> {
    return {};
  }

  onListChanged(listener: () => void): void {
    this.listener = listener;
  }

  async list(): Promise<LiveConnection['listing']> {
    return this.listing;
  }

  /** The server ends. Calls that run are lost. */
  crash(): void {
    if (this.failure) return;
    this.failure = failure;
    for (const { settle } of this.waiting.splice(0)) {
      settle.reject(Object.assign(new Error('closed'), { code: 'CONNECTION_CLOSED' }));
    }
    this.#end.resolve(failure);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.crash();
  }
}

/** Opens fake connections when the test says so. */
export class FakeOpener {
  readonly lives: FakeLive[] = [];
  readonly #attempts = new Set<PromiseWithResolvers<LiveConnection>>();

  readonly open = (
    _entry: unknown,
    { signal }: OpenConnectionOptions = {},
  ): Promise<LiveConnection> => {
    const attempt = Promise.withResolvers<LiveConnection>();
    this.#attempts.add(attempt);
    signal?.addEventListener('abort', () => this.#fail(attempt), { once: true });
    return attempt.promise;
  };

  /** Number of attempts under way. */
  get attempts(): number {
    return this.#attempts.size;
  }

  succeed(): void {
    const [attempt] = this.#attempts;
    if (attempt === undefined) return;
    this.#attempts.delete(attempt);
    const live = new FakeLive();
    this.lives.push(live);
    attempt.resolve(live);
  }

  fail(): void {
    const [attempt] = this.#attempts;
    if (attempt) this.#fail(attempt);
  }

  #fail(attempt: PromiseWithResolvers<LiveConnection>): void {
    this.#attempts.delete(attempt);
    attempt.reject(new ConnectError(failure, undefined, Promise.resolve()));
  }
}
