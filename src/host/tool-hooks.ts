import type { JsonObject } from '../tools/values/index.ts';
import type { CallOutcome, CallVerdict } from './verdict.ts';

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
