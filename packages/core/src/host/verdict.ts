import {
  type JsonObject,
  MAX_NESTING,
  measureNesting,
  ownProperty,
  withBigints,
  withMarks,
} from '../tools/values/index.ts';
import { kindOf, odd, type Reading, read, readPlain } from './read-answer.ts';

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
export function readVerdict(given: unknown): Reading<CallVerdict> {
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

function oddMember(key: string, what: string): Reading<never> {
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
export function readOutcome(given: unknown): Reading<CallOutcome> {
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
