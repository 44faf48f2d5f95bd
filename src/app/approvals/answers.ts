import type { ApprovalAnswer } from '../../agent/index.ts';

export const DENIED: ApprovalAnswer = { approved: false, reason: 'The user denied this call.' };

/** The answer of a user who says why. The model reads it. */
export function deniedBecause(reason: string): ApprovalAnswer {
  const why = reason.trim();
  return why === ''
    ? DENIED
    : { approved: false, reason: `The user denied this call and says: ${why}` };
}

/** What the user can answer, by name. */
export const ANSWERS: ReadonlyMap<string, ApprovalAnswer> = new Map([
  ['once', { approved: true, scope: 'once' }],
  ['session', { approved: true, scope: 'session' }],
  ['always', { approved: true, scope: 'always' }],
  ['reject', DENIED],
]);

/** The answer for arguments that cannot be shown. */
export const TOO_DEEP: ApprovalAnswer = {
  approved: false,
  reason: 'The arguments are nested too deeply to be shown to the user. Flatten them.',
};
