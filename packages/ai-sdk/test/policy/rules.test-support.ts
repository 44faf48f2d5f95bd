import { isDeepStrictEqual } from 'node:util';
import type { CallVerdict } from '../../src/index.ts';

export const REASON = 'Not on a Friday.';

/** One policy of an app: a hook, or the tool's own setting. */
export interface Policy {
  readonly hook?: (input: unknown, final: unknown) => CallVerdict | undefined;
  readonly needsApproval?: (input: unknown, final: unknown) => boolean;
  /** It applies only to the final input. */
  readonly byFinal?: true;
  /** The expected decision about a call of the tool under test. */
  readonly comesTo: 'runs' | 'denied' | 'asks';
}

export type PolicyName =
  | 'watch'
  | 'deny'
  | 'throw'
  | 'deny final'
  | 'ask'
  | 'ask final'
  | 'needsApproval'
  | 'needsApproval final'
  | 'needsApproval never';

/** The controls are `watch` and `needsApproval never`. If they do not run the tool, a row proves nothing. */
export const POLICIES: Readonly<Record<PolicyName, Policy>> = {
  watch: { hook: () => undefined, comesTo: 'runs' },
  'needsApproval never': { needsApproval: () => false, comesTo: 'runs' },
  deny: { hook: () => ({ deny: REASON }), comesTo: 'denied' },
  throw: {
    hook: () => {
      throw new Error(REASON);
    },
    comesTo: 'denied',
  },
  'deny final': {
    hook: (input, final) => (isDeepStrictEqual(input, final) ? { deny: REASON } : undefined),
    byFinal: true,
    comesTo: 'denied',
  },
  ask: { hook: () => ({ ask: true }), comesTo: 'asks' },
  'ask final': {
    hook: (input, final) => (isDeepStrictEqual(input, final) ? { ask: true } : undefined),
    byFinal: true,
    comesTo: 'asks',
  },
  needsApproval: { needsApproval: () => true, comesTo: 'asks' },
  'needsApproval final': {
    needsApproval: (input, final) => isDeepStrictEqual(input, final),
    comesTo: 'asks',
  },
};
