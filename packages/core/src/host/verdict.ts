import {
  isRecord,
  type JsonObject,
  MAX_NESTING,
  measureNesting,
  ownProperty,
  withBigints,
  withMarks,
} from '../values/index.ts';
import { inputText } from './input-text.ts';

/** What was read, or a description of what cannot be accepted. The description has no values: they may be secrets. */
type Parsed<T> =
  | { readonly kind: 'read'; readonly value: T }
  | { readonly kind: 'odd'; readonly what: string };

function read<T>(value: T): Parsed<T> {
  return { kind: 'read', value };
}

function odd(what: string): Parsed<never> {
  return { kind: 'odd', what };
}

/**
 * Reads an object that a hook returned into a new object. Only a plain object is read, of any realm, and only
 * if all its properties are its own, enumerable, without getters, and named by strings. Each property is read
 * once, because a later reading could give another value. Never throws.
 */
export function readPlain(given: unknown): Parsed<Record<string, unknown>> {
  try {
    return isPlainJson(given) ? copied(given) : odd(kindOf(given));
  } catch {
    return odd('an object that cannot be read');
  }
}

function copied(given: object): Parsed<Record<string, unknown>> {
  const copy: Record<string, unknown> = {};
  for (const key of Reflect.ownKeys(given)) {
    if (typeof key === 'symbol') return odd('an object with a symbol as a key');
    const found = Reflect.getOwnPropertyDescriptor(given, key);
    if (!found?.enumerable) return odd('an object with a property that is not enumerable');
    if (!Object.hasOwn(found, 'value')) return odd('an object with a getter or a setter');
    // Not `found.value`: what other code would read from a Proxy may differ from it.
    const value: unknown = Reflect.get(given, key);
    const property = { value, enumerable: true, writable: true, configurable: true };
    Object.defineProperty(copy, key, property);
  }
  return read(copy);
}

function isPlainJson(given: unknown): given is object {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return false;
  const prototype: unknown = Object.getPrototypeOf(given);
  return prototype === null || isObjectPrototype(prototype as object);
}

/** Whether this is `Object.prototype`, of this realm or of another one. */
function isObjectPrototype(prototype: object): boolean {
  if (prototype === Object.prototype) return true;
  if (Object.getPrototypeOf(prototype) !== null) return false;
  const ofObject: unknown = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value;
  return (
    typeof ofObject === 'function' &&
    ofObject.name === 'Object' &&
    ofObject.prototype === prototype &&
    Object.hasOwn(prototype, 'hasOwnProperty')
  );
}

/** The name of a class, as a warning may show it. */
const CLASS_NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$]{0,59}$/u;

/** Describes a value for a warning, without anything of its content. Never throws. */
export function kindOf(given: unknown): string {
  if (given === null || given === undefined) return String(given);
  if (typeof given !== 'object') return `a ${typeof given}`;
  try {
    if (Array.isArray(given)) return 'an array';
    const prototype: unknown = Object.getPrototypeOf(given);
    const name = prototype === null ? 'Object' : classOf(prototype as object);
    if (name === 'Object') return 'an object';
    return name === undefined ? 'an object that is not plain' : `an instance of ${name}`;
  } catch {
    return 'an object that cannot be read';
  }
}

function classOf(prototype: object): string | undefined {
  const found: unknown = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value;
  if (typeof found !== 'function') return;
  const name: unknown = Object.getOwnPropertyDescriptor(found, 'name')?.value;
  return typeof name === 'string' && CLASS_NAME.test(name) ? name : undefined;
}

/** The input as hooks see it: always an object. */
export function asArguments(input: unknown): JsonObject {
  return (isRecord(input) ? input : { input }) as JsonObject;
}

/** The input for the tool, from the arguments that a hook returned. `before`: the input that the hook saw. */
export function fromArguments(before: unknown, given: JsonObject): unknown {
  const isWrapped = !isRecord(before) && Object.keys(given).length === 1;
  return isWrapped && Object.hasOwn(given, 'input') ? ownProperty(given, 'input') : given;
}

/**
 * A copy of an input that code of the app may change. If a value in them has no exact copy, such as an instance of
 * a class, only the outermost object is copied. An instance of a class itself is not copied.
 */
export function copyOf<T>(input: T): T {
  try {
    const copy = structuredClone(input);
    if (inputText(copy) === inputText(input)) return copy;
  } catch {
    // Functions, for example, cannot be cloned.
  }
  const outer = readPlain(input);
  return outer.kind === 'read' ? (outer.value as T) : input;
}

/** What a hook decides about a call before the tool runs. */
export interface CallVerdict {
  /**
   * Replaces the arguments. The schema of the tool checks them again. The call is refused instead if
   * the user was asked about other arguments, or if Toolfold does not run the tool.
   */
  readonly arguments?: JsonObject | undefined;
  /** Denies the call. The text is the reason, which the model reads. */
  readonly deny?: string | undefined;
  /** Requires the approval of the user. */
  readonly ask?: boolean | undefined;
  /**
   * With `ask`: the user's approval may hold for the session, for later calls that a hook asks about with
   * the same key. Without it an approval holds once.
   */
  readonly askKey?: string | undefined;
}

/** The output of a tool, or the error that it threw. */
export type CallOutcome = { readonly output: unknown } | { readonly error: unknown };

const KEYS: readonly string[] = ['arguments', 'deny', 'ask', 'askKey'];

/** Reads the answer of a `beforeToolCall` hook. */
export function readVerdict(given: unknown): Parsed<CallVerdict> {
  if (given === undefined) return read({});
  const found = readPlain(given);
  if (found.kind === 'odd') return found;
  const { value } = found;
  if (Object.keys(value).some((key) => !KEYS.includes(key) && value[key] !== undefined))
    return odd('an object with an unknown key');
  const [input, deny, ask, askKey] = KEYS.map((key) => ownProperty(value, key));
  if (deny !== undefined && typeof deny !== 'string') return oddMember('deny', kindOf(deny));
  if (ask !== undefined && typeof ask !== 'boolean') return oddMember('ask', kindOf(ask));
  if (askKey !== undefined && typeof askKey !== 'string')
    return oddMember('askKey', kindOf(askKey));
  if (askKey !== undefined && ask !== true)
    return odd('an object with `askKey` and without `ask: true`');
  if (input === undefined) return read({ deny, ask, askKey });
  const replaced = readPlain(input);
  if (replaced.kind === 'odd') return oddMember('arguments', replaced.what);
  const problem = argumentsProblem(replaced.value);
  if (problem !== undefined) return oddMember('arguments', problem);
  return read({ arguments: withBigints(replaced.value) as JsonObject, deny, ask, askKey });
}

/** The largest arguments of a hook, about in characters of JSON. */
const MAX_SIZE = 50_000_000;

/** Why arguments cannot be the input of a tool: what walks them later would not end, or would throw. */
function argumentsProblem(given: unknown): string | undefined {
  try {
    const { depth, size } = measureNesting(given, MAX_NESTING, MAX_SIZE);
    if (depth > MAX_NESTING) return `an object that is nested deeper than ${MAX_NESTING} levels`;
    if (size > MAX_SIZE) return 'an object that is too large';
    JSON.stringify(withMarks(withBigints(given)));
    return;
  } catch {
    return 'an object that JSON cannot hold';
  }
}

function oddMember(key: string, what: string): Parsed<never> {
  return odd(`an object whose \`${key}\` is ${what}`);
}

/** Several verdicts about one call as one: a denial counts, then the last arguments, then a single `ask`. */
export function combined(verdicts: readonly CallVerdict[]): CallVerdict {
  const denial = verdicts.find(({ deny }) => deny !== undefined);
  if (denial) return { deny: denial.deny };
  const input = verdicts.findLast((verdict) => verdict.arguments !== undefined)?.arguments;
  const asking = verdicts.filter(({ ask }) => ask === true);
  return { arguments: input, ask: asking.length > 0, askKey: keyOfAll(asking) };
}

/** The key of all verdicts together. Undefined if one of them has none: its approval holds once. */
function keyOfAll(asking: readonly CallVerdict[]): string | undefined {
  const keys = new Set(asking.map(({ askKey }) => askKey));
  if (keys.has(undefined)) return;
  return keys.size > 1 ? JSON.stringify([...keys].sort()) : [...keys][0];
}

/** The outcome of a run. Never rejects. */
export async function outcomeOf(run: () => unknown): Promise<CallOutcome> {
  try {
    return { output: await run() };
  } catch (error) {
    return { error };
  }
}

/** Reads an outcome that an `afterToolCall` hook returned. It has exactly one of its keys, with any value. */
export function readOutcome(given: unknown): Parsed<CallOutcome> {
  const found = readPlain(given);
  if (found.kind === 'odd') return found;
  const { output, error, ...others } = found.value;
  if (Object.values(others).some((value) => value !== undefined))
    return odd('an object with an unknown key');
  const hasOutput = Object.hasOwn(found.value, 'output');
  if (hasOutput === Object.hasOwn(found.value, 'error'))
    return odd(`an object with ${hasOutput ? 'both' : 'none'} of \`output\` and \`error\``);
  return read(hasOutput ? { output } : { error });
}

/** The error of a call whose result the model must not get. */
export function withheld(why: string): Error {
  return new Error(`The tool ran, but its result is withheld: ${why}`);
}
