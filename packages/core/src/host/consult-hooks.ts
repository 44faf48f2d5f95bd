import { asArguments, fromArguments } from './arguments.ts';
import type { Hooks } from './hooks.ts';
import { inputText } from './input-text/index.ts';
import type { Asker } from './record.ts';
import { denied, type Refusal } from './refusal.ts';
import type { ResolvedCall } from './resolve.ts';
import { type CallVerdict, combined } from './verdict.ts';

/** The decision of the hooks about a call. */
export type HookOutcome =
  | { readonly kind: 'denied'; readonly refusal: Refusal }
  /** The arguments that a hook returned are not valid for the tool. */
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | {
      readonly kind: 'allowed';
      /** The call with the arguments that the hooks returned. */
      readonly resolved: ResolvedCall;
      /** The hook that requires the approval of the user. */
      readonly asker: Asker | undefined;
      /** The hooks changed the input that the tool would get. */
      readonly isChanged: boolean;
    };

/**
 * Asks the hooks about the input that a tool would get. `resolve` applies the schema of the tool to
 * arguments that a hook returned. Never throws for an error in a hook.
 */
export async function consultHooks(
  hooks: Hooks,
  resolved: ResolvedCall,
  resolve: (input: unknown) => Promise<ResolvedCall | Refusal>,
  signal?: AbortSignal,
): Promise<HookOutcome> {
  const { id, name, final } = resolved;
  let now = resolved;
  const verdicts: CallVerdict[] = [];
  // The hooks also see what the schema makes of the arguments that they returned.
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const verdict = await hooks.before({ id, name, arguments: asArguments(now.final) }, signal);
    if (verdict.deny !== undefined) return { kind: 'denied', refusal: denied(name, verdict.deny) };
    verdicts.push(verdict);
    const given =
      verdict.arguments === undefined ? undefined : fromArguments(now.final, verdict.arguments);
    const isSame = given === undefined || inputText(given) === inputText(now.final);
    const changed = isSame ? now : await resolve(given);
    if (changed.kind === 'answer') return { kind: 'refused', refusal: changed };
    const text = inputText(changed.final);
    if (isSame || text === inputText(given) || text === inputText(now.final)) {
      const isChanged = text !== inputText(final);
      const { ask, askKey } = combined(verdicts);
      const key = askKey === undefined ? {} : { key: askKey };
      const asker = ask ? { by: 'hook' as const, ...key } : undefined;
      return { kind: 'allowed', resolved: isChanged ? changed : resolved, asker, isChanged };
    }
    now = changed;
  }
  const reason = 'The hooks and the schema of the tool keep changing the arguments.';
  return { kind: 'denied', refusal: denied(name, reason) };
}

/** Maximum number of rounds of hooks and schema before the call is denied. */
const MAX_ROUNDS = 3;
