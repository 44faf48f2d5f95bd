import { isRecord, type JsonObject, own } from '../tools/json.ts';
import { denied, type Refusal } from './answer.ts';
import type { Hooks } from './hooks.ts';
import { inputText } from './input-text.ts';
import { isRefusal, type Subject } from './subject.ts';

/** What the hooks make of a call. */
export type Judgement =
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
export async function judge(
  hooks: Hooks,
  subject: Subject,
  resolve: (input: unknown) => Promise<Subject | Refusal>,
): Promise<Judgement> {
  const { id, name, final } = subject;
  const verdict = await hooks.before({ id, name, arguments: asArguments(final) });
  if (verdict.deny !== undefined) return { kind: 'denied', refusal: denied(name, verdict.deny) };
  const ask = verdict.ask === true;
  if (verdict.arguments === undefined) return { kind: 'allowed', subject, ask, isChanged: false };
  const changed = await resolve(fromArguments(final, verdict.arguments));
  if (isRefusal(changed)) return { kind: 'refused', refusal: changed };
  const isChanged = inputText(changed.final) !== inputText(final);
  return { kind: 'allowed', subject: isChanged ? changed : subject, ask, isChanged };
}

/** An input as hooks see it, who expect an object. */
export function asArguments(input: unknown): JsonObject {
  return (isRecord(input) ? input : { input }) as JsonObject;
}

function fromArguments(before: unknown, given: JsonObject): unknown {
  const isWrapped = !isRecord(before) && Object.keys(given).length === 1;
  return isWrapped && Object.hasOwn(given, 'input') ? own(given, 'input') : given;
}
