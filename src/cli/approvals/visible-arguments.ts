import { figure } from '../terminal/index.ts';

/** What is drawn as nothing, as a space or over its neighbours, or that changes their order. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Z}|\p{M}{4,}/gu;

/**
 * Nine or more in a row of what is blank, a space or an escape: padding pushes what follows out of
 * sight. Escaped backslashes are matched too, so that none is taken for the start of an escape.
 */
const PADDING = /\\\\|((?: |\\[bfnrt]|\\u[\da-f]{4}){9,})/g;

/** The arguments of a call as one line in which nothing is invisible. */
export interface VisibleArguments {
  /** All of them. */
  readonly full: string;
  /** At most so many characters: the beginning and the end. */
  readonly short: string;
  /** Characters of the arguments as they are sent. */
  readonly length: number;
  /** Whether `short` is not all of it, or a run of blank characters is told as a number. */
  readonly isShortened: boolean;
}

/**
 * JSON with every invisible, control and bidirectional character escaped and long runs of blank ones
 * told as their length. `undefined` where the arguments have no text, being nested too deeply.
 */
export function visibleArguments(given: unknown, limit: number): VisibleArguments | undefined {
  let json: string;
  try {
    json = JSON.stringify(given) ?? '';
  } catch {
    return;
  }
  const escaped = json.replace(UNSEEN, escapes);
  const full = escaped.replace(PADDING, (whole, run: string | undefined) => {
    if (run === undefined) return whole;
    return `‹${figure(run.replace(/\\u....|\\./g, ' ').length)} blank characters›`;
  });
  const short = ends(full, limit);
  return { full, short, length: json.length, isShortened: short !== escaped };
}

/** `\u200b`, as JSON would write it: by UTF-16 unit. */
function escapes(text: string): string {
  return Array.from({ length: text.length }, (_, at) => {
    return `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }).join('');
}

/** The beginning and the end of a text, and how much is between them. */
function ends(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const tail = Math.floor(limit / 3);
  const head = limit - tail;
  const begin = text.slice(0, head).toWellFormed();
  const end = text.slice(text.length - tail).toWellFormed();
  return `${begin}… (+${figure(text.length - limit)} characters) …${end}`;
}
