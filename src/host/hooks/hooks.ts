import { errorMessage, invalidOption } from '../../errors.ts';
import { isAmount } from '../../tools/values/index.ts';
import { denied, type Refusal } from '../calls/index.ts';
import { copyOf } from './arguments.ts';
import { kindOf } from './kind-of.ts';
import { type HookName, OddAnswers } from './odd-answers.ts';
import { type CallOutcome, outcomeOf, readOutcome, withheld } from './outcome.ts';
import { settle } from './settle.ts';
import type {
  AfterToolCall,
  BeforeToolCall,
  HookedCall,
  ResolveToolCall,
  ToolHooks,
} from './tool-hooks.ts';
import { type CallVerdict, combined, NO_VERDICT, readVerdict } from './verdict.ts';

/** What the `resolveToolCall` hooks make of a name that no tool has. */
export type ResolvedName =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'none' }
  /** A hook gave an answer that is no name. */
  | { readonly kind: 'invalid'; readonly refusal: Refusal };

/** Combines the hooks of each kind into one, by the rules on their types. */
export class Hooks {
  readonly #resolve: readonly Labelled<ResolveToolCall>[];
  readonly #before: readonly Labelled<BeforeToolCall>[];
  readonly #after: readonly Labelled<AfterToolCall>[];
  readonly #timeoutMs: number | undefined;
  readonly #odd: OddAnswers;

  /** Throws `invalid-option` for a time limit that is none. `warn` gets texts for the developer. */
  constructor(hooks: ToolHooks = {}, warn: (text: string) => void = () => {}) {
    const { resolveToolCall, beforeToolCall, afterToolCall, timeoutMs } = hooks;
    if (timeoutMs !== undefined && !(isAmount(timeoutMs) && timeoutMs > 0))
      throw invalidOption('hooks.timeoutMs', 'a number of milliseconds above 0');
    this.#resolve = listOf('resolveToolCall', resolveToolCall);
    this.#before = listOf('beforeToolCall', beforeToolCall);
    this.#after = listOf('afterToolCall', afterToolCall);
    this.#timeoutMs = timeoutMs;
    this.#odd = new OddAnswers(warn);
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

  resolve(name: string): ResolvedName {
    for (const { label, hook } of this.#resolve) {
      const given = answerOf(() => hook(name));
      if (given === undefined) continue;
      if (typeof given === 'string') return { kind: 'name', name: given };
      // A promise may reject later, and nobody else handles that.
      void outcomeOf(() => given);
      this.#odd.warn('resolveToolCall', label, kindOf(given));
      return { kind: 'invalid', refusal: denied(name, NO_NAME) };
    }
    return { kind: 'none' };
  }

  /** The verdict of all hooks about a call. Rejects only with the reason of the signal. */
  async before(call: HookedCall, signal?: AbortSignal): Promise<CallVerdict> {
    const verdicts: CallVerdict[] = [];
    let now = call.arguments;
    for (const { label, hook } of this.#before) {
      const shown = { ...call, arguments: copyOf(now) };
      const verdict = await this.#verdictOf(label, () => hook(shown), signal);
      if (verdict.deny !== undefined) return { deny: verdict.deny };
      verdicts.push(verdict);
      now = verdict.arguments ?? now;
    }
    return combined(verdicts);
  }

  /** Runs the tool and the hooks. Returns the output; throws the error of a failed outcome. */
  async after(call: HookedCall, run: () => unknown): Promise<unknown> {
    if (this.#after.length === 0) return run();
    let outcome: CallOutcome = await outcomeOf(run);
    for (const { label, hook } of this.#after) {
      const shown = { ...call, arguments: copyOf(call.arguments) };
      outcome = await this.#outcomeOf(label, (seen) => hook(shown, seen), outcome);
    }
    if ('error' in outcome) throw outcome.error;
    return outcome.output;
  }

  async #verdictOf(
    label: string,
    hook: () => unknown,
    signal: AbortSignal | undefined,
  ): Promise<CallVerdict> {
    const settled = await settle(hook, this.#timeoutMs, signal);
    if (settled.kind === 'error') return { deny: errorMessage(settled.error) };
    if (settled.kind === 'late') return { deny: this.#lateness };
    const found = readVerdict(settled.given);
    if (found.kind === 'read') return found.value;
    this.#odd.warn('beforeToolCall', label, found.what);
    return { deny: NO_VERDICT };
  }

  /** Throws the error of the hook, and if the result must not go on. */
  async #outcomeOf(
    label: string,
    hook: (shown: CallOutcome) => unknown,
    outcome: CallOutcome,
  ): Promise<CallOutcome> {
    const shown = { ...outcome };
    const settled = await settle(() => hook(shown), this.#timeoutMs);
    if (settled.kind === 'error') throw settled.error;
    if (settled.kind === 'late') throw withheld(this.#lateness);
    // A hook that edits the outcome in place, although its type forbids that, means to replace it.
    const found = readOutcome(settled.given === undefined ? shown : settled.given);
    if (found.kind === 'read') return found.value;
    this.#odd.warn('afterToolCall', label, found.what);
    throw withheld(NO_OUTCOME);
  }

  get #lateness(): string {
    return `A hook of this application took longer than ${this.#timeoutMs} milliseconds.`;
  }
}

const NO_OUTCOME =
  'A hook of this application gave an answer that is no outcome. Its developer must mend it.';
const NO_NAME =
  'A hook of this application gave an answer that is no name of a tool. Its developer must mend it.';

/** A hook, and how warnings call it. */
interface Labelled<T> {
  readonly label: string;
  readonly hook: T;
}

function listOf<T>(name: HookName, hooks: T | readonly T[] | undefined): readonly Labelled<T>[] {
  if (hooks === undefined) return [];
  if (!Array.isArray(hooks)) return [{ label: name, hook: hooks as T }];
  return hooks.map((hook: T, at) => ({ label: `${name}[${at}]`, hook }));
}

/** What a hook returns; undefined if it throws. */
function answerOf(hook: () => unknown): unknown {
  try {
    return hook();
  } catch {
    return;
  }
}
