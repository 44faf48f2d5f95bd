import type { CheckState } from './run.ts';

/** A part of a regular expression that matches one or more characters of one set. */
interface Piece {
  /** The sample characters that it matches, one bit each. */
  readonly set: bigint;
  /** The minimum and maximum number of characters that it matches. */
  readonly least: number;
  readonly most: number;
  /** Whether a match may leave it out. */
  readonly isOptional?: boolean;
  /** The content of a lookahead or lookbehind at this position. It consumes no characters. */
  readonly look?: readonly Piece[];
}

interface Pieces {
  readonly pieces: readonly Piece[];
  /** The number of ways to choose among alternatives and optional parts. */
  readonly paths: number;
  /** Whether a match can only begin at the start of the text. */
  readonly isAnchored: boolean;
  /** Whether it may match in more than one way: it has alternatives, or a part with a quantifier. */
  readonly varies: boolean;
}

/** With more alternatives than this, all of them count as overlapping. */
const MAX_OVERLAP = 32;
/** Sample characters, each for one kind of characters. */
const USUAL = [0xa0, 0xe9, 0x3b1, 0x430, 0x4e2d, 0x2028, 0x1f600];
const CODE = /\\u\{([0-9a-f]{1,6})\}|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})/gi;
const ATOM =
  /\[(?:\\[\s\S]|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[0-9a-fA-F]{4}(?:\\u[0-9a-fA-F]{4})?|\\x[0-9a-fA-F]{2}|\\c[A-Za-z]|\\[\s\S]|[\s\S]/uy;
const QUANTIFIER = /(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y;
const GROUP = /\((?:\?(?::|<?[=!]|<[^>]*>))?/y;

/** Thrown if a pattern contains something whose cost cannot be determined. */
const UNKNOWN = new Error('the cost of the pattern cannot be determined');

/**
 * The parts of a valid pattern in the order in which they match. Groups are flattened, and
 * alternatives become optional parts one after another. Undefined if the pattern repeats a part that
 * varies, which may take exponential time, or contains back references or other parts whose cost
 * cannot be determined.
 */
function readPieces(pattern: string): Pieces | undefined {
  try {
    return new PatternParser(pattern).read();
  } catch (error) {
    if (error === UNKNOWN) return;
    throw error;
  }
}

class PatternParser {
  readonly #pattern: string;
  readonly #samples: readonly string[];
  readonly #sets = new Map<string, bigint>();
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
    this.#samples = samplesOf(pattern);
  }

  read(): Pieces {
    const all = this.#alternatives();
    if (this.#at < this.#pattern.length) throw UNKNOWN;
    return all;
  }

  #alternatives(): Pieces {
    const branches = [this.#sequence()];
    while (this.#pattern[this.#at] === '|') {
      this.#at++;
      branches.push(this.#sequence());
    }
    const [only] = branches;
    if (only && branches.length === 1) return only;
    const paths = branches.reduce((most, branch) => Math.max(most, branch.paths), 1);
    return {
      pieces: branches.flatMap(({ pieces }) => pieces.map(optional)),
      paths: paths * overlapOf(branches.map(({ pieces }) => startOf(pieces))),
      isAnchored: branches.every(({ isAnchored }) => isAnchored),
      varies: true,
    };
  }

  #sequence(): Pieces {
    const pieces: Piece[] = [];
    let paths = 1;
    let isAnchored = this.#pattern[this.#at] === '^';
    let varies = false;
    while (this.#at < this.#pattern.length && !'|)'.includes(this.#pattern[this.#at] ?? '')) {
      const begins = pieces.length === 0;
      const { part, isLook } = this.#part();
      if (begins && part.isAnchored && !isLook) isAnchored = true;
      const { least, most } = this.#quantifier();
      if (part.varies && most > 1) throw UNKNOWN;
      varies ||= part.varies || least !== 1 || most !== 1;
      if (least === 0 && part.isAnchored && !isLook) isAnchored = false;
      paths *= part.paths;
      if (isLook) pieces.push({ set: 0n, least: 0, most: 0, look: part.pieces });
      else if (least === 1 && most === 1) pieces.push(...part.pieces);
      else if (least === 0 && most === 1) {
        paths *= 2;
        pieces.push(...part.pieces.map(optional));
      } else pieces.push(repeated(part.pieces, least, most));
    }
    return { pieces, paths, isAnchored, varies };
  }

  #part(): { part: Pieces; isLook: boolean } {
    const group = this.#match(GROUP);
    if (group) {
      if (this.#pattern[this.#at] === '?') throw UNKNOWN;
      const part = this.#alternatives();
      if (this.#pattern[this.#at++] !== ')') throw UNKNOWN;
      return { part, isLook: /^\(\?<?[=!]/.test(group[0]) };
    }
    const [atom = ''] = this.#match(ATOM) ?? [];
    const isNothing = ['^', '$', '\\b', '\\B'].includes(atom);
    if (/^\\[1-9k]/.test(atom)) throw UNKNOWN;
    const pieces = isNothing ? [] : [{ set: this.#setOf(atom), least: 1, most: 1 }];
    return { part: { pieces, paths: 1, isAnchored: atom === '^', varies: false }, isLook: false };
  }

  #quantifier(): { least: number; most: number } {
    const found = this.#match(QUANTIFIER);
    if (!found) return { least: 1, most: 1 };
    const [text, from, comma, to] = found;
    if (from === undefined)
      return { least: text[0] === '+' ? 1 : 0, most: text[0] === '?' ? 1 : Infinity };
    const least = Number(from);
    return { least, most: comma === undefined ? least : to === '' ? Infinity : Number(to) };
  }

  #match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#pattern);
    if (found) this.#at = expression.lastIndex;
    return found ?? undefined;
  }

  #setOf(atom: string): bigint {
    const known = this.#sets.get(atom);
    if (known !== undefined) return known;
    // Unicode classes are costly to test, so they count as matching every character.
    if (/\\p\{/i.test(atom)) return -1n;
    const isPlain = [...atom].length === 1 && atom !== '.';
    const matcher = isPlain ? undefined : new RegExp(`^${atom}$`, 'u');
    let set = 0n;
    this.#samples.forEach((sample, bit) => {
      if (matcher ? matcher.test(sample) : sample === atom) set |= 1n << BigInt(bit);
    });
    this.#sets.set(atom, set);
    return set;
  }
}

/** The number of alternatives that may begin with the same character; all of them if there are many. */
function overlapOf(starts: readonly StartSet[]): number {
  const empty = starts.filter(({ isOptional }) => isOptional).length;
  // For each number: the characters with which that many alternatives may begin.
  const shared: bigint[] = [];
  for (const { set } of starts) {
    let left = set;
    for (let count = 0; left !== 0n; count++) {
      if (count === MAX_OVERLAP) return starts.length;
      const before = shared[count] ?? 0n;
      shared[count] = before | left;
      left &= before;
    }
  }
  return Math.max(1, Math.min(starts.length, shared.length + empty));
}

interface StartSet {
  readonly set: bigint;
  readonly isOptional: boolean;
}

function optional(piece: Piece): Piece {
  return { ...piece, isOptional: true };
}

/** Whether the piece must match at least one character. */
function isNeeded({ least, isOptional }: Piece): boolean {
  return least > 0 && !isOptional;
}

function repeated(pieces: readonly Piece[], least: number, most: number): Piece {
  const set = pieces.reduce((all, piece) => all | piece.set, 0n);
  // A lookaround in a repeated group is tried in every repetition.
  const looks = pieces.flatMap(({ look }) => look ?? []);
  return { set, least, most, ...(looks.length > 0 ? { look: looks } : {}) };
}

/** The characters with which a sequence may begin, and whether it may be empty. */
function startOf(pieces: readonly Piece[]): StartSet {
  let set = 0n;
  for (const piece of pieces) {
    set |= piece.set;
    if (isNeeded(piece)) return { set, isOptional: false };
  }
  return { set, isOptional: true };
}

/** ASCII, the characters that the pattern names and their neighbours, and some of other scripts. */
function samplesOf(pattern: string): string[] {
  const named = [...pattern].map((character) => character.codePointAt(0) ?? 0);
  const coded = [...pattern.matchAll(CODE)].map(([, a, b, c]) =>
    Number.parseInt(a ?? b ?? c ?? '', 16),
  );
  const codes = new Set([...Array(128).keys(), ...USUAL]);
  for (const code of [...named, ...coded])
    for (const near of [code - 1, code, code + 1]) codes.add(near);
  return [...codes]
    .filter((code) => code >= 0 && code <= 0x10ffff)
    .map((code) => String.fromCodePoint(code));
}

/** Longer patterns are not analyzed. */
const MAX_LENGTH = 1_000;
/** Patterns with more repeats than this are not analyzed. */
const MAX_REPEATS = 12;
const EVERYTHING: Piece = { set: -1n, least: 0, most: Infinity };

/** An upper bound on the steps it takes to match a pattern against a text of this length. */
type Steps = (length: number) => number;

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

/** The limit of all different patterns of one schema together, in characters. Further patterns are not checked. */
const MAX_CHARACTERS = 20_000;
/** The limits of work to read a single pattern, and to match it once, in units. */
const MAX_COST = 5_000;
const MAX_MATCH = 20_000;
/** The steps of a match that are one unit of work. */
const STEPS = 50;

/** Whether a text matches a pattern; undefined if the match may take too long. */
export type Matcher = (text: string, run: CheckState) => boolean | undefined;

/** Why a part of a schema is not checked: it is malformed, or may take too long. */
export type Flaw = 'odd' | 'costly';

/** Analyzes each pattern of a schema once. */
export class PatternBook {
  readonly #assessed = new Map<string, Matcher | Flaw>();
  #left = MAX_CHARACTERS;

  /** How to match a pattern, or why it is not checked. */
  assess(pattern: string, run: CheckState): Matcher | Flaw {
    const known = this.#assessed.get(pattern);
    if (known) return known;
    this.#left -= pattern.length + 1;
    if (this.#left < 0) return 'costly';
    const cost = costOf(pattern);
    if (cost <= MAX_COST) run.spend(cost);
    const assessed = cost <= MAX_COST ? assess(pattern) : 'costly';
    this.#assessed.set(pattern, assessed);
    return assessed;
  }
}

/** Units of work to read a pattern: each of its classes is tested on sample characters. */
function costOf(pattern: string): number {
  const classes = pattern.match(/[[\\]/g)?.length ?? 0;
  const properties = pattern.match(/\\p\{/gi)?.length ?? 0;
  const samples = 135 + 3 * pattern.length;
  return 20 + pattern.length + (classes * samples) / 20 + 200 * properties;
}

function assess(pattern: string): Matcher | Flaw {
  try {
    const expression = new RegExp(pattern, 'u');
    const steps = stepsOf(pattern);
    if (!steps) return 'costly';
    return (text, run) => {
      const units = 1 + steps(text.length) / STEPS;
      return units <= MAX_MATCH && run.afford(units) ? expression.test(text) : undefined;
    };
  } catch {
    return 'odd';
  }
}
