import { errorMessage } from '../../errors.ts';
import type { JsonObject } from '../../tools/values/index.ts';

/** A call of a real tool, whatever it travelled in. */
export interface HookedCall {
  readonly id: string;
  /** The real tool's canonical name. */
  readonly name: string;
  /**
   * What the tool would get: valid, defaults and transforms of its schema applied. A call behind
   * another one whose group has not loaded is seen as the model wrote it, and again where it runs if
   * the schema makes something else of it. An input that is no object is seen as `{ input }`.
   */
  readonly arguments: JsonObject;
}

/** What becomes of a call before anything has run. */
export interface CallVerdict {
  /**
   * The arguments to go on with; checked by the tool's schema once more. Where the user has been
   * asked about others, or the tool is not run by Toolfold, the call is refused instead.
   */
  readonly arguments?: JsonObject;
  /** Not to be run, and why: the model reads it. */
  readonly deny?: string;
  /** The user has to be asked first. */
  readonly ask?: boolean;
}

/**
 * Looks at a call before approval, and again at any other input that comes of it on its way to the
 * tool, and when an approved call is resumed: nothing runs that no hook has seen. It should say the
 * same of the same call: an approval is for what it said then. Of several, each sees the arguments
 * that the one before left; the first denial ends it; one that asks is enough. One that throws
 * denies, with the error's message.
 */
export type BeforeToolCall = (
  call: HookedCall,
) => CallVerdict | undefined | Promise<CallVerdict | undefined>;

/** What a tool did. */
export type CallOutcome = { readonly output: unknown } | { readonly error: unknown };

/**
 * Looks at what a tool did, and may put something else in its place. Of several, each sees what the
 * one before made of it. One that throws makes the call fail with its error.
 */
export type AfterToolCall = (
  call: HookedCall,
  outcome: CallOutcome,
) => CallOutcome | undefined | Promise<CallOutcome | undefined>;

/**
 * Says what a name that no tool has is meant for. Of several, the first that answers counts; one that
 * throws has no answer. What it names is judged like any other call: a role is not widened by it.
 */
export type ResolveToolCall = (name: string) => string | undefined;

/** Hooks of an app; each alone or in a list, in order. */
export interface ToolHooks {
  readonly resolveToolCall?: ResolveToolCall | readonly ResolveToolCall[];
  readonly beforeToolCall?: BeforeToolCall | readonly BeforeToolCall[];
  readonly afterToolCall?: AfterToolCall | readonly AfterToolCall[];
}

/** The hooks as one of each kind, composed as their types say. */
export class Hooks {
  readonly #resolve: readonly ResolveToolCall[];
  readonly #before: readonly BeforeToolCall[];
  readonly #after: readonly AfterToolCall[];

  constructor({ resolveToolCall, beforeToolCall, afterToolCall }: ToolHooks = {}) {
    this.#resolve = listOf(resolveToolCall);
    this.#before = listOf(beforeToolCall);
    this.#after = listOf(afterToolCall);
  }

  get canDecide(): boolean {
    return this.#before.length > 0;
  }

  /** Whether no hook looks at what a tool did. */
  get isSilentAfter(): boolean {
    return this.#after.length === 0;
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
        // As its type says: one that throws has no answer.
      }
    }
    return;
  }

  async before(call: HookedCall): Promise<CallVerdict> {
    let verdict: CallVerdict = {};
    for (const hook of this.#before) {
      const seen = { ...call, arguments: verdict.arguments ?? call.arguments };
      const said = await settle(() => hook(seen));
      verdict = { ...verdict, ...said, ask: verdict.ask === true || said?.ask === true };
      if (verdict.deny !== undefined) return { deny: verdict.deny };
    }
    return verdict;
  }

  /** The output; throws the error where that is what it came to. */
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

/** What a run comes to; never rejects. */
export async function outcomeOf(run: () => unknown): Promise<CallOutcome> {
  try {
    return { output: await run() };
  } catch (error) {
    return { error };
  }
}

async function settle(
  hook: () => CallVerdict | undefined | Promise<CallVerdict | undefined>,
): Promise<CallVerdict | undefined> {
  try {
    return await hook();
  } catch (error) {
    return { deny: errorMessage(error) };
  }
}
