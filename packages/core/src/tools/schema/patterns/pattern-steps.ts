import { isNeeded, type Piece, readPieces } from './pattern-pieces.ts';

/** Longer patterns are not analyzed. */
const MAX_LENGTH = 1_000;
/** Patterns with more repeats than this are not analyzed. */
const MAX_REPEATS = 12;
const EVERYTHING: Piece = { set: -1n, least: 0, most: Infinity };

/** An upper bound on the steps it takes to match a pattern against a text of this length. */
export type Steps = (length: number) => number;

/**
 * The work of a pattern for a backtracking matcher. The work of two repeats multiplies if a text can
 * be divided between them in more than one way: `a*a*b`, or `a*b` if a match may begin anywhere, but
 * not `a*@a*`. Undefined if the work can be exponential or cannot be determined.
 */
export function stepsOf(pattern: string): Steps | undefined {
  const read = pattern.length > MAX_LENGTH ? undefined : readPieces(pattern);
  if (!read) return;
  const pieces = read.isAnchored ? read.pieces : [EVERYTHING, ...read.pieces];
  const terms = [factorsOf(pieces)];
  pieces.forEach(({ look }, index) => {
    if (look) terms.push(factorsOf([...pieces.slice(0, index + 1), ...look]));
  });
  const factors = terms.filter((term) => term !== undefined);
  if (factors.length < terms.length) return;
  const size = pieces.reduce((sum, { least, look }) => sum + 1 + least + (look?.length ?? 0), 1);
  return (length) => {
    const text = length + 1;
    const ways = factors.map((most) =>
      most.reduce((product, count) => product * Math.min(count, text), 1),
    );
    return ways.reduce((sum, way) => sum + way, 0) * read.paths * text * Math.min(size, text);
  };
}

/** For each repeat that shares texts with an earlier one: the number of possible repetition counts. */
function factorsOf(pieces: readonly Piece[]): number[] | undefined {
  // Parts that are only optional are counted in `paths`.
  const loops = pieces.flatMap(({ least, most }, index) =>
    most > Math.max(least, 1) ? [index] : [],
  );
  if (loops.length > MAX_REPEATS) return;
  return loops
    .filter((later) =>
      loops.some((earlier) => earlier < later && shareText(pieces, earlier, later)),
    )
    .map((index) => (pieces[index]?.most ?? 0) - (pieces[index]?.least ?? 0) + 1);
}

/** Whether one text can match both repeats and every required piece between them. */
function shareText(pieces: readonly Piece[], earlier: number, later: number): boolean {
  const common = (pieces[earlier]?.set ?? 0n) & (pieces[later]?.set ?? 0n);
  if (common === 0n) return false;
  return pieces
    .slice(earlier + 1, later)
    .every((piece) => !isNeeded(piece) || (piece.set & common) !== 0n);
}
