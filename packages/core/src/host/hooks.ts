import { errorMessage, invalidOption } from '../errors.ts';
import {
  checkKnown,
  isFiniteAmount,
  type JsonObject,
  type KnownOptions,
  oncePerKey,
  raceAbort,
  within,
} from '../values/index.ts';
import { denied, type Refusal } from './refusal.ts';
import {
  type CallOutcome,
  type CallVerdict,
  combined,
  copyOf,
  kindOf,
  outcomeOf,
  readOutcome,
  readVerdict,
  withheld,
} from './verdict.ts';

/** A call of a real tool, unwrapped from any bridge tool. */
export interface HookedCall {
  readonly id: string;
  /** The canonical name of the real tool. */
  readonly name: string;
  /**
   * The input that the tool would get: validated, with the defaults and transforms of its schema. If
   * the group of the tool cannot load yet because an earlier call has not run, this is the input as
   * the model wrote it; the hook is called again when the schema changes the input. An input that is
   * no object is wrapped as `{ input }`. Each hook gets its own copy, so editing it changes nothing;
   * instances of classes in the input cannot be copied, and are the tool's own.
   */
  readonly arguments: JsonObject;
}

/**
 * Decides about a call before approval. It is called again when the input changes on the way to the
 * tool, and when an approved call is resumed, so no input runs without the hooks. It should return the
 * same verdict for the same call, because an approval holds for the first verdict. With several
 * hooks, each gets the arguments that the one before returned; the first denial ends the sequence; a
 * single `ask` is enough. A hook that throws denies the call with the message of its error. A hook that
 * returns anything but `undefined` or a plain object with the keys of a verdict denies the call too.
 */
export type BeforeToolCall = (
  call: HookedCall,
) => CallVerdict | undefined | Promise<CallVerdict | undefined>;

/**
 * Sees the outcome of a tool and may replace it. With several hooks, each gets the outcome that the
 * one before returned. A hook that throws makes the call fail with its error. A hook that returns
 * anything but `undefined` or a plain object with either `output` or `error` withholds the result: the
 * call fails. The partial results of a generator do not pass, because a hook may redact them.
 */
export type AfterToolCall = (
  call: HookedCall,
  outcome: CallOutcome,
) => CallOutcome | undefined | Promise<CallOutcome | undefined>;

/**
 * Maps a name that no tool has to the name of a tool. With several hooks, the first answer counts; a
 * hook that throws has no answer. Anything but a string or `undefined` denies the call. Roles and policy
 * apply to the call under its new name.
 */
export type ResolveToolCall = (name: string) => string | undefined;

/** The hooks of an app: each a function, or a list of functions that run in order. */
export interface ToolHooks {
  readonly resolveToolCall?: ResolveToolCall | readonly ResolveToolCall[];
  readonly beforeToolCall?: BeforeToolCall | readonly BeforeToolCall[];
  readonly afterToolCall?: AfterToolCall | readonly AfterToolCall[];
  /**
   * The longest time in milliseconds for one run of a `beforeToolCall` or `afterToolCall` hook. After it, the
   * call is denied, or its result is withheld. Default: no limit, because a hook may ask a person.
   */
  readonly timeoutMs?: number | undefined;
}

/** What the `resolveToolCall` hooks make of a name that no tool has. */
type ResolvedName =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'none' }
  /** A hook gave an answer that is no name. */
  | { readonly kind: 'invalid'; readonly refusal: Refusal };

/** What each kind of hook may return, and what an answer of another form causes. */
const RULES = {
  beforeToolCall: {
    form: 'verdict',
    is: 'no verdict: the call was denied',
    remedy: 'Return undefined, or a plain object with `arguments`, `deny`, `ask` or `askKey`.',
  },
  afterToolCall: {
    form: 'outcome',
    is: 'no outcome: the result was withheld',
    remedy: 'Return undefined, or a plain object with either `output` or `error`.',
  },
  resolveToolCall: {
    form: 'name of a tool',
    is: 'no name: the call was denied',
    remedy: 'Return undefined or a string. This hook cannot be asynchronous.',
  },
} as const;

type HookName = keyof typeof RULES;

const KNOWN_HOOKS: KnownOptions<ToolHooks> = {
  resolveToolCall: true,
  beforeToolCall: true,
  afterToolCall: true,
  timeoutMs: true,
};

const isFunction = (value: unknown): boolean => typeof value === 'function';

/** A hook, and how warnings call it. */
interface Labelled<T> {
  readonly label: string;
  readonly hook: T;
}

/** The longest time of a timer; a longer one would fire at once. */
const LONGEST = 2 ** 31 - 1;

/** Combines the hooks of each kind into one, by the rules on their types. */
export class Hooks {
  readonly #resolve: readonly Labelled<ResolveToolCall>[];
  readonly #before: readonly Labelled<BeforeToolCall>[];
  readonly #after: readonly Labelled<AfterToolCall>[];
  /** Whether there are hooks that decide about calls before they run. */
  readonly canDecide: boolean;
  /** Whether there are hooks that see the outcome of a tool. */
  readonly hasAfter: boolean;
  readonly isEmpty: boolean;
  readonly #timeoutMs: number | undefined;
  readonly #warnOnce: (key: string, text: string) => void;

  /** Throws `invalid-option` for an unknown name, for what is no function, and for a time limit that is none. `warn` gets texts for the developer. */
  constructor(hooks: ToolHooks = {}, warn: (text: string) => void = () => {}) {
    checkKnown('`hooks`', hooks, KNOWN_HOOKS);
    const { resolveToolCall, beforeToolCall, afterToolCall, timeoutMs } = hooks;
    for (const [name, hook] of Object.entries({ resolveToolCall, beforeToolCall, afterToolCall }))
      if (!(Array.isArray(hook) ? hook : [hook === undefined ? answerOf : hook]).every(isFunction))
        throw invalidOption(`hooks.${name}`, 'a function or a list of functions');
    if (timeoutMs !== undefined && !(isFiniteAmount(timeoutMs) && timeoutMs > 0))
      throw invalidOption('hooks.timeoutMs', 'a number of milliseconds above 0');
    this.#resolve = listOf('resolveToolCall', resolveToolCall);
    this.#before = listOf('beforeToolCall', beforeToolCall);
    this.#after = listOf('afterToolCall', afterToolCall);
    this.canDecide = this.#before.length > 0;
    this.hasAfter = this.#after.length > 0;
    this.isEmpty = this.#resolve.length === 0 && !this.canDecide && !this.hasAfter;
    this.#timeoutMs = timeoutMs;
    this.#warnOnce = oncePerKey(warn);
  }

  resolve(name: string): ResolvedName {
    for (const { label, hook } of this.#resolve) {
      const given = answerOf(() => hook(name));
      if (given === undefined) continue;
      if (typeof given === 'string') return { kind: 'name', name: given };
      // A promise may reject later, and nobody else handles that.
      void outcomeOf(() => given);
      const reason = this.#oddAnswer('resolveToolCall', label, kindOf(given));
      return { kind: 'invalid', refusal: denied(name, reason) };
    }
    return { kind: 'none' };
  }

  /** The verdict of all hooks about a call. Rejects only with the reason of the signal. */
  async before(call: HookedCall, signal?: AbortSignal): Promise<CallVerdict> {
    const verdicts: CallVerdict[] = [];
    let now = call.arguments;
    for (const { label, hook } of this.#before) {
      const shown = { ...call, arguments: copyOf(now) };
      const verdict = this.#verdictIn(label, await this.#settled(() => hook(shown), signal));
      if (verdict.deny !== undefined) return { deny: verdict.deny };
      verdicts.push(verdict);
      now = verdict.arguments ?? now;
    }
    return combined(verdicts);
  }

  #verdictIn(label: string, settled: CallOutcome | undefined): CallVerdict {
    if (!settled) return { deny: this.#lateness };
    if ('error' in settled) return { deny: errorMessage(settled.error) };
    const found = readVerdict(settled.output);
    if (found.kind === 'read') return found.value;
    return { deny: this.#oddAnswer('beforeToolCall', label, found.what) };
  }

  /** What the hooks make of the outcome of a tool. Rejects with the error of a hook. */
  async after(call: HookedCall, ran: CallOutcome): Promise<CallOutcome> {
    let outcome = ran;
    for (const { label, hook } of this.#after) {
      const seen = { ...outcome };
      const shown = { ...call, arguments: copyOf(call.arguments) };
      const settled = await this.#settled(() => hook(shown, seen));
      if (!settled) throw withheld(this.#lateness);
      if ('error' in settled) throw settled.error;
      // A hook that edits the outcome in place, although its type forbids that, means to replace it.
      const found = readOutcome(settled.output === undefined ? seen : settled.output);
      if (found.kind === 'odd') throw withheld(this.#oddAnswer('afterToolCall', label, found.what));
      outcome = found.value;
    }
    return outcome;
  }

  /**
   * Calls a hook and waits for its answer. Undefined if the time limit ended first: the hook continues,
   * and its answer is ignored. Rejects only with the reason of the signal.
   */
  async #settled(hook: () => unknown, signal?: AbortSignal): Promise<CallOutcome | undefined> {
    const settled = raceAbort(outcomeOf(hook), signal);
    if (this.#timeoutMs === undefined) return settled;
    return within(Math.min(this.#timeoutMs, LONGEST), settled);
  }

  /** Warns the developer, once for each text, and returns the reason for the model. `what` has no values of the answer. */
  #oddAnswer(name: HookName, label: string, what: string): string {
    const { form, is, remedy } = RULES[name];
    const text = `\`${label}\` returned ${what}, which is ${is}. ${remedy}`;
    this.#warnOnce(text, text);
    return `A hook of this application gave an answer that is no ${form}. Its developer must mend it.`;
  }

  get #lateness(): string {
    return `A hook of this application took longer than ${this.#timeoutMs} milliseconds.`;
  }
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
