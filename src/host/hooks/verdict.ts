import { type JsonObject, own } from '../../tools/values/index.ts';
import { kindOf } from './kind-of.ts';
import { odd, type Reading, read, readPlain } from './read-answer.ts';

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

/** Why a call is denied if the answer of a hook is no verdict: it may be a denial that is spelt in another way. */
export const NO_VERDICT =
  'A hook of this application gave an answer that is no verdict. Its developer must mend it.';

const KEYS: readonly string[] = ['arguments', 'deny', 'ask', 'askKey'];

/** Reads the answer of a `beforeToolCall` hook. */
export function readVerdict(given: unknown): Reading<CallVerdict> {
  if (given === undefined) return read({});
  const found = readPlain(given);
  if (found.kind === 'odd') return found;
  const { value } = found;
  const [input, deny, ask, askKey] = KEYS.map((key) => own(value, key));
  if (Object.keys(value).some((key) => !KEYS.includes(key) && value[key] !== undefined))
    return odd('an object with an unknown key');
  if (deny !== undefined && typeof deny !== 'string') return oddMember('deny', kindOf(deny));
  if (ask !== undefined && typeof ask !== 'boolean') return oddMember('ask', kindOf(ask));
  if (askKey !== undefined && typeof askKey !== 'string')
    return oddMember('askKey', kindOf(askKey));
  if (askKey !== undefined && ask !== true)
    return odd('an object with `askKey` and without `ask: true`');
  if (input === undefined) return read({ deny, ask, askKey });
  const replaced = readPlain(input);
  if (replaced.kind === 'odd') return oddMember('arguments', replaced.what);
  return read({ arguments: replaced.value as JsonObject, deny, ask, askKey });
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
