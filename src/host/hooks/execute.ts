import { isRecord } from '../../tools/values/index.ts';
import { asArguments } from './consult-hooks.ts';
import { type CallOutcome, type Hooks, outcomeOf } from './hooks.ts';
import { allOf, type CallObserver, type ExecutedCall } from './observers.ts';

export interface ExecuteOptions {
  readonly hooks: Hooks;
  readonly observers: readonly CallObserver[];
  /** Told of each run that takes time. */
  readonly onExecute: ((call: ExecutedCall, running: Promise<unknown>) => void) | undefined;
  /** Asked right before the tool runs: whether the input is still the one that was judged. */
  readonly isUnchanged: () => boolean;
}

/**
 * Runs a tool and settles what it came to: observers before, the tool, the app's hooks, observers
 * after. Where nobody looks on, what the tool returns is returned as it is, partial results too.
 * Throws what the tool throws, and what observers and hooks throw.
 */
export function execute(call: ExecutedCall, run: () => unknown, options: ExecuteOptions): unknown {
  const { hooks, observers, onExecute, isUnchanged } = options;
  if (hooks.isSilentAfter && observers.length === 0) {
    const running = run();
    if (isPromise(running)) onExecute?.(call, running as Promise<unknown>);
    return running;
  }
  const { started, settled } = allOf(observers);
  const work = async () => {
    await started(call);
    if (!isUnchanged()) throw new Error(`The input of ${call.name} was changed before it ran.`);
    const outcome = await after(hooks, call, async () => lastOf(await run()));
    await settled(call, outcome);
    if ('error' in outcome) throw outcome.error;
    return outcome.output;
  };
  const running = work();
  onExecute?.(call, running);
  return running;
}

function after(
  hooks: Hooks,
  { id, name, input }: ExecutedCall,
  run: () => Promise<unknown>,
): Promise<CallOutcome> {
  return outcomeOf(() => hooks.after({ id, name, arguments: asArguments(input) }, run));
}

/** A tool that yields results as it goes: the last one counts. */
export async function lastOf(output: unknown): Promise<unknown> {
  if (!isAsyncIterable(output)) return output;
  let last: unknown;
  for await (const value of output) last = value;
  return last;
}

/** Whether a tool returned results that come as it goes. */
export function isAsyncIterable(output: unknown): output is AsyncIterable<unknown> {
  return isRecord(output) && typeof Reflect.get(output, Symbol.asyncIterator) === 'function';
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null)?.then === 'function';
}
