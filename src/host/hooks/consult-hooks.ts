import { isRecord, type JsonObject, own, raceAbort } from '../../tools/values/index.ts';
import { denied, inputText, isRefusal, type Refusal, type Subject } from '../calls/index.ts';
import type { Hooks } from './hooks.ts';

/** What the hooks make of a call. */
export type HookOutcome =
  | { readonly kind: 'denied'; readonly refusal: Refusal }
  /** What a hook put in place of the arguments cannot be run. */
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | {
      readonly kind: 'allowed';
      /** With the arguments to go on with. */
      readonly subject: Subject;
      /** The user has to be asked first. */
      readonly ask: boolean;
      /** The tool would get something else than it would have got. */
      readonly isChanged: boolean;
    };

/**
 * Asks the hooks about what a tool would get. `resolve` finds what it would get of other arguments:
 * those go through its schema like the model's own. Never throws for what a hook does.
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
  // What the schema makes of the arguments that a hook gives is put to the hooks as well.
  for (let look = 0; look < LOOKS; look++) {
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
  const reason = 'The hooks and the schema of the tool do not agree on the arguments.';
  return { kind: 'denied', refusal: denied(name, reason) };
}

/** How often the hooks look at what comes of their own arguments. */
const LOOKS = 3;

/** For hooks to do with as they like; what cannot be copied whole is handed out as it is. */
function copyOf(input: unknown): unknown {
  try {
    const copy: unknown = structuredClone(input);
    return inputText(copy) === inputText(input) ? copy : input;
  } catch {
    return input;
  }
}

/** An input as hooks see it, who expect an object. */
export function asArguments(input: unknown): JsonObject {
  return (isRecord(input) ? input : { input }) as JsonObject;
}

function fromArguments(before: unknown, given: JsonObject): unknown {
  const isWrapped = !isRecord(before) && Object.keys(given).length === 1;
  return isWrapped && Object.hasOwn(given, 'input') ? own(given, 'input') : given;
}
