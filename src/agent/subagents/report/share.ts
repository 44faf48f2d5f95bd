import type { Answer } from './answer.ts';
import { fitAnswer, jsonBytes } from './fit.ts';

interface Claim {
  readonly whole: Answer;
  /** Bytes of the whole answer as further members of an object. */
  readonly size: number;
  fitted: Answer | undefined;
  /** Bytes of `fitted`, with the `truncated` mark if it was cut. */
  used: number;
}

const MARK_BYTES = memberBytes({ truncated: true });

/**
 * Shortens the answers so that they take at most `room` bytes together; `undefined` for an answer
 * without room. Each answer has an equal share. Room that short answers leave goes to long ones. The
 * share of a cut answer includes `"truncated":true`.
 */
export function shareOut(
  answers: readonly Answer[],
  room: number,
): ReadonlyMap<Answer, Answer | undefined> {
  const claims = answers.map(
    (whole): Claim => ({ whole, size: memberBytes(whole), fitted: undefined, used: 0 }),
  );
  const bySize = claims.toSorted((a, b) => a.size - b.size);
  const left = grant(bySize, room);
  // An object that did not fit leaves room. It goes to the answers that were cut.
  const cut = claims.filter(({ whole, fitted }) => fitted !== whole);
  grant(
    cut.toSorted((a, b) => a.used - b.used),
    left,
  );
  return new Map(claims.map(({ whole, fitted }) => [whole, fitted]));
}

/** Gives each claim an equal part of `room` in addition to what it has. Unused room goes to the next claims. */
function grant(claims: readonly Claim[], room: number): number {
  let left = room;
  for (const [index, claim] of claims.entries()) {
    const { whole, size, used } = claim;
    const most = used + Math.floor(left / (claims.length - index));
    const isWhole = size <= most;
    claim.fitted = isWhole ? whole : fitAnswer(whole, most - MARK_BYTES + 1);
    claim.used = memberBytes(claim.fitted ?? {}) + (isWhole ? 0 : MARK_BYTES);
    left -= claim.used - used;
  }
  return left;
}

/** Bytes of members that follow other members: one comma instead of two braces. */
function memberBytes(members: object): number {
  const bytes = jsonBytes(members);
  return bytes > 2 ? bytes - 1 : 0;
}
