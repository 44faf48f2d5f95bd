import { errorMessage } from '../../errors.ts';
import { isRecord, type JsonObject } from '../../tools/values/index.ts';

/** A call of a real tool, unwrapped from any bridge tool. */
export interface HookedCall {
  readonly id: string;
  /** The canonical name of the real tool. */
  readonly name: string;
  /**
   * The input that the tool would get: validated, with the defaults and transforms of its schema. If
   * the group of the tool cannot load yet because an earlier call has not run, this is the input as
   * the model wrote it; the hook is called again when the schema changes the input. An input that is
   * no object is wrapped as `{ input }`.
   */
  readonly arguments: JsonObject;
}

/** What a hook decides about a call before the tool runs. */
export interface CallVerdict {
  /**
   * Replaces the arguments. The schema of the tool checks them again. The call is refused instead if
   * the user was asked about other arguments, or if Toolfold does not run the tool.
   */
  readonly arguments?: JsonObject;
  /** Denies the call. The text is the reason, which the model reads. */
  readonly deny?: string;
  /** Requires the approval of the user. */
  readonly ask?: boolean;
}

/**
 * Decides about a call before approval. It is called again when the input changes on the way to the
 * tool, and when an approved call is resumed, so no input runs without the hooks. It should return the
 * same verdict for the same call, because an approval holds for the first verdict. With several
 * hooks, each gets the arguments that the one before returned; the first denial ends the sequence; a
 * single `ask` is enough. A hook that throws denies the call with the message of its error, and one that
 * returns anything else than a verdict or `undefined` denies it too.
 */
export type BeforeToolCall = (
  call: HookedCall,
) => CallVerdict | undefined | Promise<CallVerdict | undefined>;

/** The output of a tool, or the error that it threw. */
export type CallOutcome = { readonly output: unknown } | { readonly error: unknown };

/**
 * Sees the outcome of a tool and may replace it. With several hooks, each gets the outcome that the
 * one before returned. A hook that throws makes the call fail with its error.
 */
export type AfterToolCall = (
  call: HookedCall,
  outcome: CallOutcome,
) => CallOutcome | undefined | Promise<CallOutcome | undefined>;

/**
 * Maps a name that no tool has to the name of a tool. With several hooks, the first answer counts; a
 * hook that throws has no answer. Roles and policy apply to the call under its new name.
 */
export type ResolveToolCall = (name: string) => string | undefined;

/** The hooks of an app: each a function, or a list of functions that run in order. */
export interface ToolHooks {
  readonly resolveToolCall?: ResolveToolCall | readonly ResolveToolCall[];
  readonly beforeToolCall?: BeforeToolCall | readonly BeforeToolCall[];
  readonly afterToolCall?: AfterToolCall | readonly AfterToolCall[];
}

/** Combines the hooks of each kind into one, by the rules on their types. */
export class Hooks {
  readonly #resolve: readonly ResolveToolCall[];
  readonly #before: readonly BeforeToolCall[];
  readonly #after: readonly AfterToolCall[];

  constructor({ resolveToolCall, beforeToolCall, afterToolCall }: ToolHooks = {}) {
    this.#resolve = listOf(resolveToolCall);
    this.#before = listOf(beforeToolCall);
    this.#after = listOf(afterToolCall);
  }

  /** Whether there are hooks that decide about calls before they run. */
  get canDecide(): boolean {
    return this.#before.length > 0;
  }

  /** Whether there are hooks that see the outcome of a tool. */
  get hasAfter(): boolean {
    return this.#after.length > 0;
  }

  get isEmpty(): boolean {
    return this.#resolve.length + this.#before.length + this.#after.length === 0;
  }

  resolve(name: string): string | undefined {
    for (const hook of this.#resolve) {
      try {
        const resolved = hook(name);
        if (resolved !== undefined) return resolved;
      } catch {
        // A hook that throws has no answer; see `ResolveToolCall`.
      }
    }
    return;
  }

  async before(call: HookedCall): Promise<CallVerdict> {
    let verdict: CallVerdict = {};
    for (const hook of this.#before) {
      const seen = { ...call, arguments: verdict.arguments ?? call.arguments };
      const own = await settle(() => hook(seen));
      verdict = { ...verdict, ...own, ask: verdict.ask === true || own?.ask === true };
      if (verdict.deny !== undefined) return { deny: verdict.deny };
    }
    return verdict;
  }

  /** Runs the tool and the hooks. Returns the output; throws the error of a failed outcome. */
  async after(call: HookedCall, run: () => unknown): Promise<unknown> {
    if (this.#after.length === 0) return run();
    let outcome: CallOutcome = await outcomeOf(run);
    for (const hook of this.#after) outcome = (await hook(call, outcome)) ?? outcome;
    if ('error' in outcome) throw outcome.error;
    return outcome.output;
  }
}

function listOf<T>(hooks: T | readonly T[] | undefined): readonly T[] {
  return hooks === undefined ? [] : Array.isArray(hooks) ? hooks : [hooks as T];
}

/** The outcome of a run. Never rejects. */
export async function outcomeOf(run: () => unknown): Promise<CallOutcome> {
  try {
    return { output: await run() };
  } catch (error) {
    return { error };
  }
}

const NO_VERDICT =
  'A hook of this application gave an answer that is no verdict. Its developer must mend it.';

/** Whether a hook gave a verdict, or none. Anything else may be a denial that is spelt in another way. */
function isVerdict(given: unknown): given is CallVerdict | undefined {
  if (given === undefined) return true;
  if (!isRecord(given)) return false;
  const { arguments: input, deny, ask, ...others } = given;
  return (
    Object.values(others).every((value) => value === undefined) &&
    (input === undefined || isRecord(input)) &&
    (deny === undefined || typeof deny === 'string') &&
    (ask === undefined || typeof ask === 'boolean')
  );
}

async function settle(
  hook: () => CallVerdict | undefined | Promise<CallVerdict | undefined>,
): Promise<CallVerdict | undefined> {
  try {
    const given: unknown = await hook();
    return isVerdict(given) ? given : { deny: NO_VERDICT };
  } catch (error) {
    return { deny: errorMessage(error) };
  }
}
