import type { Answer } from './answer.ts';
import { fitAnswer, jsonBytes } from './fit.ts';

interface Claim {
  readonly whole: Answer;
  /** Bytes that the whole answer takes as further members of an object. */
  readonly size: number;
  fitted: Answer | undefined;
  /** Bytes that `fitted` takes, with the mark of an answer that was cut. */
  used: number;
}

const MARK_BYTES = memberBytes({ truncated: true });

/**
 * As much of each answer as there is room for in `room` bytes together; `undefined` for none. Each is
 * entitled to an equal share, what short ones leave goes to the long ones, and in the share of one
 * that is cut there is room for `"truncated":true`.
 */
export function shareOut(
  answers: readonly Answer[],
  room: number,
): ReadonlyMap<Answer, Answer | undefined> {
  const claims = answers.map(
    (whole): Claim => ({ whole, size: memberBytes(whole), fitted: undefined, used: 0 }),
  );
  const left = grant(
    claims.toSorted((a, b) => a.size - b.size),
    room,
  );
  // Where an object did not fit, room is left. It goes to those that had used all they were given.
  const cut = claims.filter(({ whole, fitted }) => fitted !== whole);
  grant(
    cut.toSorted((a, b) => a.used - b.used),
    left,
  );
  return new Map(claims.map(({ whole, fitted }) => [whole, fitted]));
}

/** Gives each claim its part of `room` on top of what it has; what it does not use is the next ones'. */
function grant(claims: readonly Claim[], room: number): number {
  let left = room;
  for (const [index, claim] of claims.entries()) {
    const most = claim.used + Math.floor(left / (claims.length - index));
    const before = claim.used;
    fit(claim, most);
    left -= claim.used - before;
  }
  return left;
}

function fit(claim: Claim, most: number): void {
  const isWhole = claim.size <= most;
  claim.fitted = isWhole ? claim.whole : fitAnswer(claim.whole, most - MARK_BYTES + 1);
  claim.used = memberBytes(claim.fitted ?? {}) + (isWhole ? 0 : MARK_BYTES);
}

/** Bytes of members that follow others: a comma takes the place of two braces. */
function memberBytes(members: object): number {
  const bytes = jsonBytes(members);
  return bytes > 2 ? bytes - 1 : 0;
}
