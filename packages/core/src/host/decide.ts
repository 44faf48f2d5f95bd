import type { Hooks } from './hooks.ts';
import { inputText } from './input-text.ts';
import type { Approval, ApprovalRequester, Setting } from './records.ts';
import { ARGUMENTS_CHANGED, approvalNeeded, denied, type Refusal } from './refusal.ts';
import type { ResolvedCall } from './resolve.ts';
import { asArguments, type CallVerdict, combined, fromArguments } from './verdict.ts';

/** The decision about a call. */
export type Decision =
  | { readonly kind: 'run'; readonly resolved: ResolvedCall; readonly status: Approval }
  | {
      readonly kind: 'ask';
      readonly resolved: ResolvedCall;
      readonly asker: ApprovalRequester;
      readonly reason: string | undefined;
    }
  /** The tool gives the refusal in place of running. */
  | { readonly kind: 'withheld'; readonly refusal: Refusal }
  | { readonly kind: 'denied'; readonly refusal: Refusal; readonly reason: string | undefined };

/** Everything that a decision depends on. Who can be asked has been asked. */
interface Facts {
  readonly resolved: ResolvedCall;
  /** What the hooks say. Undefined if they have allowed this input before, or there are none. */
  readonly verdict: HookOutcome | undefined;
  /** The hook that required the user's approval before. */
  readonly asker: ApprovalRequester | undefined;
  /** The user has approved the call. */
  readonly isApproved: boolean;
  /** Why that approval does not hold for the call. */
  readonly mismatch: string | undefined;
  /** What the app's setting says. Undefined if it was not asked, or has been applied. */
  readonly setting: Setting | undefined;
}

/** Nothing is known, and nobody has been asked. */
export const NO_FACTS: Omit<Facts, 'resolved'> = {
  verdict: undefined,
  asker: undefined,
  isApproved: false,
  mismatch: undefined,
  setting: undefined,
};

const NOTHING: Approval = { type: 'not-applicable' };

/** Decides about a call: the hooks first, then the user's approval, then the setting. */
export function decide(facts: Facts): Decision {
  const { verdict, isApproved, mismatch, setting } = facts;
  if (verdict?.kind === 'denied') return refused(verdict.refusal, true);
  if (verdict?.kind === 'refused') return refused(verdict.refusal, false);
  const { name, isForeign } = facts.resolved;
  const asker = facts.asker ?? verdict?.asker;
  // The user was asked about other arguments, or the host runs the call with them.
  if (verdict?.isChanged && (isForeign || isApproved))
    return refused(approvalNeeded(name, ARGUMENTS_CHANGED), isForeign);
  const resolved = verdict?.resolved ?? facts.resolved;
  if (mismatch !== undefined) return refused(approvalNeeded(name, mismatch), false);
  if (setting?.type === 'denied') {
    const { reason } = setting;
    const refusal = denied(name, reason ?? 'The application denied it.');
    return { kind: 'denied', refusal, reason };
  }
  if (!isApproved && (asker || setting?.type === 'user-approval')) {
    // The host would show the arguments as they were before the hooks.
    if (verdict?.isChanged) return refused(approvalNeeded(name, ARGUMENTS_CHANGED), false);
    return { kind: 'ask', resolved, asker: asker ?? { by: 'setting' }, reason: setting?.reason };
  }
  return { kind: 'run', resolved, status: setting?.type === 'approved' ? setting : NOTHING };
}

/** The decision that a refusal is: the host denies the call, or the tool gives the refusal as its answer. */
export function refused(refusal: Refusal, isDenied: boolean): Decision {
  if (!isDenied) return { kind: 'withheld', refusal };
  return { kind: 'denied', refusal, reason: String(refusal.result.message) };
}

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
      readonly asker: ApprovalRequester | undefined;
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
