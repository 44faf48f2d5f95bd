import { isRecord, raceAbort } from '../tools/values/index.ts';
import { asArguments } from './arguments.ts';
import type { Hooks } from './hooks.ts';
import { type CallOutcome, outcomeOf } from './verdict.ts';

/** A call of a real tool that is executed. */
export interface ExecutedCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/**
 * Observes each execution of a tool, for example to keep a record. Both functions are awaited. If
 * `started` throws, the tool does not run. If `settled` throws, the call fails with its error.
 */
export interface CallObserver {
  /** Called right before the tool runs, so before any effect. */
  readonly started?: (call: ExecutedCall) => unknown;
  /** Called after the tool and the hooks, with the outcome that the AI SDK and the model get. */
  readonly settled?: (call: ExecutedCall, outcome: CallOutcome) => unknown;
}

export interface ExecuteOptions {
  readonly hooks: Hooks;
  readonly observers: readonly CallObserver[];
  /** Called for each run that returns a promise. */
  readonly onExecute: ((call: ExecutedCall, running: Promise<unknown>) => void) | undefined;
  /** Runs the whole work in place of a plain call, or returns a result that is known. */
  readonly runWith: RunWith | undefined;
  /** After it has fired, `afterToolCall` hooks have `GRACE` left. Then the result is withheld. */
  readonly signal?: AbortSignal | undefined;
  /** Called right before the tool runs. Throws if it may not run any more. */
  readonly check: () => void;
}

/**
 * Wraps each execution of a tool, with its observers and hooks. It may return a recorded result without
 * running the call.
 */
export type RunWith = (call: ExecutedCall, run: () => Promise<unknown>) => Promise<unknown>;

/**
 * Runs a tool in this order: `started` of the observers, the tool, the `afterToolCall` hooks, `settled`
 * of the observers. Without observers and such hooks, the return value of the tool is returned
 * unchanged, partial results included. Throws what the tool, the observers and the hooks throw.
 */
export function execute(call: ExecutedCall, run: () => unknown, options: ExecuteOptions): unknown {
  const { hooks, observers, onExecute, runWith, check, signal } = options;
  if (!hooks.hasAfter && observers.length === 0 && !runWith) {
    check();
    const running = run();
    if (isPromise(running)) onExecute?.(call, running as Promise<unknown>);
    return running;
  }
  const { id, name, input } = call;
  const work = async () => {
    for (const observer of observers) await observer.started?.(call);
    check();
    const ran = await outcomeOf(async () => lastOf(await run()));
    const hooked = { id, name, arguments: asArguments(input) };
    const outcome = hooks.hasAfter
      ? await withGrace(hooks.after(hooked, ran), signal).catch((error) => ({ error }))
      : ran;
    for (const observer of observers) await observer.settled?.(call, outcome);
    if ('error' in outcome) throw outcome.error;
    return outcome.output;
  };
  const running = runWith ? runWith(call, work) : work();
  onExecute?.(call, running);
  return running;
}

/** Milliseconds that the hooks have to redact a result after the turn was cancelled. */
const GRACE = 500;

/** Settles with the promise, or rejects with the reason of the signal when the time after it is over. */
async function withGrace<T>(running: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const late = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const begin = () => {
    timer = setTimeout(() => late.abort(signal?.reason), GRACE);
  };
  if (signal?.aborted) begin();
  else signal?.addEventListener('abort', begin, { once: true });
  try {
    return await raceAbort(running, late.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', begin);
  }
}

/** The result of a tool: the last value, if the tool yields several. */
export async function lastOf(output: unknown): Promise<unknown> {
  if (!isAsyncIterable(output)) return output;
  let last: unknown;
  for await (const value of output) last = value;
  return last;
}

/** Whether a tool returned an iterable of partial results. */
export function isAsyncIterable(output: unknown): output is AsyncIterable<unknown> {
  return isRecord(output) && typeof Reflect.get(output, Symbol.asyncIterator) === 'function';
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null)?.then === 'function';
}
