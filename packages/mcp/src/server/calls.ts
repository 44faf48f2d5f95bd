import type { ToolCallOptions } from '@toolfold/core/internal/tool';
import { matchesGlob } from '@toolfold/core/internal/values';
import type { Lifecycle, ServerEntry } from '../config/index.ts';
import {
  DEFAULT_CONNECT_TIMEOUT,
  type ListedTool,
  type LiveConnection,
} from '../connection/index.ts';
import type { ChannelRequestOptions } from '../transport/index.ts';

/** Options of a call. Requests that the server sends meanwhile go to the host of the call. */
export interface CallOptions extends Pick<ToolCallOptions, 'host'> {
  readonly signal?: AbortSignal | undefined;
}

/** Options of a request that is passed on unread. */
export interface RawRequestOptions
  extends Omit<ChannelRequestOptions, 'timeout' | 'maxTime' | 'headers'> {
  /** Gets the function that gives back the place of the request among those that may run at once, before its end. */
  readonly onPlace?: ((giveBack: () => void) => void) | undefined;
}

/** What is sent to the server, and what its errors say of it. */
export interface OutgoingRequest {
  readonly name: string;
  readonly signal: AbortSignal | undefined;
  /** The tool as the caller knows it. */
  readonly named?: string | ListedTool;
  readonly isRepeatable: () => boolean;
  /** It may last as long as the connection, and does not count as one of the calls at once. */
  readonly isLasting?: boolean;
  readonly onPlace?: RawRequestOptions['onPlace'];
  /** Settles with what the server answers. `timeout`: milliseconds that are left. */
  readonly send: (live: LiveConnection, timeout: number) => Promise<unknown>;
}

/** How often a call was sent, and when its time ends. */
export interface Sending {
  readonly isRepeated?: boolean;
  readonly until?: number;
}

/** Default time limit of a call in milliseconds. Usually the caller's signal ends it earlier. */
const CALL_TIMEOUT = 600_000;

/** Default time limit of a call whose progress begins its time again, in milliseconds. */
const MAX_CALL_TIME = 3_600_000;

const MAX_CALLS = 32;

/** The longest time of a timer in milliseconds. */
const MAX_TIMER = 2 ** 31 - 1;

/** The limits of one connection, with defaults filled in. Times in milliseconds. */
export interface Times {
  /** Time without a call until the server is stopped; `undefined` if it is not stopped. */
  readonly idle: number | undefined;
  readonly start: number;
  /** Time of a call without an answer or a notice of progress. */
  readonly call: number;
  /** Time of a call in all. */
  readonly maxCall: number;
  readonly tools: NonNullable<Lifecycle['toolTimeouts']>;
  readonly maxCalls: number;
}

export function timesOf(
  entry: ServerEntry,
  idleTime: number,
  startTimeout: number = DEFAULT_CONNECT_TIMEOUT,
): Times {
  const lifecycle = entry.kind === 'unusable' ? undefined : entry.lifecycle;
  // A transport that the host connected cannot be connected again.
  const isKept = lifecycle?.keepAlive === true || entry.kind === 'transport';
  return {
    idle: isKept ? undefined : Math.min(MAX_TIMER, lifecycle?.idleTime ?? idleTime),
    start: Math.min(MAX_TIMER, lifecycle?.startTimeout ?? startTimeout),
    call: Math.min(MAX_TIMER, lifecycle?.callTimeout ?? CALL_TIMEOUT),
    maxCall: Math.min(MAX_TIMER, lifecycle?.maxCallTime ?? MAX_CALL_TIME),
    tools: lifecycle?.toolTimeouts ?? [],
    maxCalls: lifecycle?.maxCalls ?? MAX_CALLS,
  };
}

/** The time limit for calls of a tool. */
export function callTimeoutOf({ call, tools }: Times, tool: string): number {
  const found = tools.findLast(([glob]) => matchesGlob(glob, tool));
  return Math.min(MAX_TIMER, found?.[1] ?? call);
}

/** The time of a request that is passed on. A subscription is answered when nobody wants it any more. */
export function timeOfRequest(
  method: string,
  left: number,
  { maxCall }: Times,
): { readonly timeout?: number; readonly maxTime?: number } {
  return method === 'subscriptions/listen' ? {} : { timeout: left, maxTime: maxCall };
}

/** A limit of what runs at once. Further ones wait in the order in which they came. */
export class Slots {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves with a function that gives the slot back. Rejects with the signal's reason. */
  async take(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    const free = this.takeFree();
    if (free) return free;
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const onAbort = (): void => {
      this.#waiting.delete(next);
      reject(signal?.reason);
    };
    const next = (): void => {
      this.#waiting.delete(next);
      signal?.removeEventListener('abort', onAbort);
      resolve(this.#held());
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#waiting.add(next);
    return promise;
  }

  /** A function that gives the slot back, if one is free. */
  takeFree(): (() => void) | undefined {
    if (this.#free === 0) return;
    this.#free -= 1;
    return this.#held();
  }

  #held(): () => void {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const [next] = this.#waiting;
      if (next) next();
      else this.#free += 1;
    };
  }
}
