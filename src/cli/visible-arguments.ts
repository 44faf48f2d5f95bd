/** What is drawn as nothing, as a space or over its neighbours, or that changes their order. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Z}|\p{M}{4,}/gu;

/** Nine or more of white space in a row, as itself or escaped: padding pushes what follows out of sight. */
const PADDING =
  /(?: |\\[nrtfbv]|\\u(?:00[018][\da-f]|00a0|00ad|115f|1160|1680|180e|20[026][\da-f]|2800|3000|3164|fe0[\da-f]|feff|ffa0)){9,}/g;

/** The arguments of a call as one line in which nothing is invisible. */
export interface VisibleArguments {
  /** All of them. */
  readonly full: string;
  /** At most so many characters: the beginning and the end. */
  readonly short: string;
  /** Characters of the arguments as they are sent. */
  readonly length: number;
  /** Whether `short` is not all of it, or a run of white space is told as a number. */
  readonly isShortened: boolean;
}

/**
 * JSON with every invisible, control and bidirectional character escaped and long runs of white
 * space told as their length. `undefined` where the arguments have no text, being nested too deeply.
 */
export function visibleArguments(given: unknown, limit: number): VisibleArguments | undefined {
  let json: string;
  try {
    json = JSON.stringify(given) ?? '';
  } catch {
    return;
  }
  const escaped = json.replace(UNSEEN, escapes);
  const full = escaped.replace(PADDING, (run) => {
    const count = run.replace(/\\u....|\\./g, ' ').length;
    return `‹${count} characters of white space›`;
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
  return `${begin}… (+${text.length - limit} characters) …${end}`;
}
