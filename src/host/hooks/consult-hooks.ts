import { isRecord, type JsonObject, own, raceAbort } from '../../tools/values/index.ts';
import { denied, inputText, isRefusal, type Refusal, type Subject } from '../calls/index.ts';
import type { Hooks } from './hooks.ts';

/** The decision of the hooks about a call. */
export type HookOutcome =
  | { readonly kind: 'denied'; readonly refusal: Refusal }
  /** The arguments that a hook returned are not valid for the tool. */
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | {
      readonly kind: 'allowed';
      /** The call with the arguments that the hooks returned. */
      readonly subject: Subject;
      /** The call needs the approval of the user. */
      readonly ask: boolean;
      /** The hooks changed the input that the tool would get. */
      readonly isChanged: boolean;
    };

/**
 * Asks the hooks about the input that a tool would get. `resolve` applies the schema of the tool to
 * arguments that a hook returned. Never throws for an error in a hook.
 */
export async function consultHooks(
  hooks: Hooks,
  subject: Subject,
  resolve: (input: unknown) => Promise<Subject | Refusal>,
  signal?: AbortSignal,
): Promise<HookOutcome> {
  const { id, name, final } = subject;
  let now = subject;
  let ask = false;
  // The hooks also see what the schema makes of the arguments that they returned.
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const seen = asArguments(copyOf(now.final));
    const verdict = await raceAbort(hooks.before({ id, name, arguments: seen }), signal);
    if (verdict.deny !== undefined) return { kind: 'denied', refusal: denied(name, verdict.deny) };
    ask ||= verdict.ask === true;
    const given =
      verdict.arguments === undefined ? undefined : fromArguments(now.final, verdict.arguments);
    const isSame = given === undefined || inputText(given) === inputText(now.final);
    const changed = isSame ? now : await resolve(given);
    if (isRefusal(changed)) return { kind: 'refused', refusal: changed };
    const text = inputText(changed.final);
    if (isSame || text === inputText(given) || text === inputText(now.final)) {
      const isChanged = text !== inputText(final);
      return { kind: 'allowed', subject: isChanged ? changed : subject, ask, isChanged };
    }
    now = changed;
  }
  const reason = 'The hooks and the schema of the tool keep changing the arguments.';
  return { kind: 'denied', refusal: denied(name, reason) };
}

/** Maximum number of rounds of hooks and schema before the call is denied. */
const MAX_ROUNDS = 3;

/** A copy that hooks may change. An input that has no exact copy is returned itself. */
function copyOf(input: unknown): unknown {
  try {
    const copy: unknown = structuredClone(input);
    return inputText(copy) === inputText(input) ? copy : input;
  } catch {
    return input;
  }
}

/** The input as hooks see it: always an object. */
export function asArguments(input: unknown): JsonObject {
  return (isRecord(input) ? input : { input }) as JsonObject;
}

function fromArguments(before: unknown, given: JsonObject): unknown {
  const isWrapped = !isRecord(before) && Object.keys(given).length === 1;
  return isWrapped && Object.hasOwn(given, 'input') ? own(given, 'input') : given;
}
