import { isRecord, raceAbort } from '../values/index.ts';
import { type Hide, heldError, heldOutput, hidden } from './held-output.ts';
import type { Hooks } from './hooks.ts';
import { asArguments, type CallOutcome, outcomeOf } from './verdict.ts';

/** A call of a real tool that is executed. */
export interface ExecutedCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** What was repaired in the arguments that the model wrote, for people. Absent if nothing was. */
  readonly repairs?: readonly string[];
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
  /** Whether the result is shown in a form that the tool makes of it. Then it stays as it is, else as JSON can hold it. */
  readonly isConverted: boolean;
  /** Replaces secrets in what the tool returns and throws, before anybody reads it. */
  readonly hide?: Hide | undefined;
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
 * of the observers. Without observers and such hooks, partial results are returned too. A result is held
 * as JSON can hold it before anybody reads it, and so is what is thrown. Throws what the tool, the observers and the hooks throw, and
 * the reason of the signal where an observer does not end.
 */
export function execute(call: ExecutedCall, tool: () => unknown, options: ExecuteOptions): unknown {
  const { hooks, observers, onExecute, runWith, check, signal, isConverted, hide } = options;
  const asJson = isConverted ? (output: unknown) => output : heldOutput;
  const hold = hide ? (output: unknown) => hidden(asJson(output), hide) : asJson;
  const holdError = (error: unknown) => (hide ? hidden(heldError(error), hide) : heldError(error));
  const run = () => withErrors(tool, holdError);
  if (!hooks.hasAfter && observers.length === 0 && !runWith) {
    check();
    const output = run();
    if (isAsyncIterable(output)) return eachOf(output, hold);
    if (!isPromise(output)) return hold(output);
    const running = Promise.resolve(output).then((value) =>
      isAsyncIterable(value) ? eachOf(value, hold) : hold(value),
    );
    onExecute?.(call, running);
    return running;
  }
  const { id, name, input } = call;
  const observed = async () => {
    for (const { started } of observers) await raceAbort(Promise.resolve(started?.(call)), signal);
    check();
    const ran = await outcomeOf(async () => hold(await lastOf(await run())));
    const hooked = { id, name, arguments: asArguments(input) };
    const outcome = hooks.hasAfter
      ? await withGrace(hooks.after(hooked, ran), signal).catch((error) => ({ error }))
      : ran;
    const given =
      'error' in outcome ? { error: holdError(outcome.error) } : { output: hold(outcome.output) };
    for (const { settled } of observers)
      await withGrace(Promise.resolve(settled?.(call, given)), signal);
    if ('error' in given) throw given.error;
    return given.output;
  };
  const work = () =>
    observed().catch((error) => {
      throw holdError(error);
    });
  const running = runWith ? runWith(call, work) : work();
  onExecute?.(call, running);
  return running;
}

/** Milliseconds that hooks have to redact a result, and observers to keep it, after the turn was cancelled. */
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

async function* eachOf(
  values: AsyncIterable<unknown>,
  change: (value: unknown) => unknown,
): AsyncGenerator<unknown> {
  for await (const value of values) yield change(value);
}

/** Runs a tool, and changes what it throws: at once, later, or between its partial results. */
function withErrors(tool: () => unknown, change: (error: unknown) => unknown): unknown {
  const fail = (error: unknown): never => {
    throw change(error);
  };
  const each = async function* (values: AsyncIterable<unknown>): AsyncGenerator<unknown> {
    try {
      yield* values;
    } catch (error) {
      fail(error);
    }
  };
  const guarded = (output: unknown) => (isAsyncIterable(output) ? each(output) : output);
  try {
    const output = readable(tool());
    return isPromise(output) ? Promise.resolve(output).then(guarded, fail) : guarded(output);
  } catch (error) {
    return fail(error);
  }
}

/** A result, or a remark for one that throws as soon as anybody looks whether it is a promise. */
function readable(output: unknown): unknown {
  try {
    isPromise(output);
    isAsyncIterable(output);
    return output;
  } catch {
    return heldOutput(output);
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
