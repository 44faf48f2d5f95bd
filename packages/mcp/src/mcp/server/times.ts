import { matchesGlob } from '@toolfold/core/internal/tools/registry/globs';
import type { Lifecycle, ServerEntry } from '../config/index.ts';
import { DEFAULT_CONNECT_TIMEOUT } from '../connection/index.ts';

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
