import type { HookOutcome } from './consult-hooks.ts';
import type { Approval, Asker, Setting } from './record.ts';
import { ARGUMENTS_CHANGED, approvalNeeded, denied, type Refusal } from './refusal.ts';
import type { ResolvedCall } from './resolve.ts';

/** The decision about a call. */
export type Decision =
  | { readonly kind: 'run'; readonly resolved: ResolvedCall; readonly status: Approval }
  | {
      readonly kind: 'ask';
      readonly resolved: ResolvedCall;
      readonly asker: Asker;
      readonly reason: string | undefined;
    }
  /** The tool gives the refusal in place of running. */
  | { readonly kind: 'withheld'; readonly refusal: Refusal }
  | { readonly kind: 'denied'; readonly refusal: Refusal; readonly reason: string | undefined };

/** Everything that a decision depends on. Who can be asked has been asked. */
export interface Facts {
  readonly resolved: ResolvedCall;
  /** What the hooks say. Undefined if they have allowed this input before, or there are none. */
  readonly verdict: HookOutcome | undefined;
  /** The hook that required the user's approval before. */
  readonly asker: Asker | undefined;
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
