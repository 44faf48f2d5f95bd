/** Invisible characters: direction marks, tags, fillers, zero-width characters, selectors. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
/** The characters that form an emoji: a joiner between two, a selector behind one. */
const EMOJI =
  /\p{Extended_Pictographic}(?:[\uFE0E\uFE0F]|\p{Emoji_Modifier})?(?:\u200D(?=\p{Extended_Pictographic}))?/u;
const EMOJI_OR_UNSEEN = new RegExp(`(${EMOJI.source})|${UNSEEN.source}|[^\\P{Cc}\\n\\t]`, 'gu');

/**
 * Makes a multi-line text of another party, such as an error, safe to show: it removes invisible
 * characters, which can reverse or hide words, and cuts the text to `limit` characters.
 */
export function visibleText(text: string, limit: number): string {
  return truncate(withoutUnseen(text.slice(0, limit * 4)), limit);
}

function withoutUnseen(text: string): string {
  return text.toWellFormed().replace(EMOJI_OR_UNSEEN, '$1');
}

/**
 * Makes a text of another party one safe line: control, format and line-breaking characters
 * become spaces, quotes and angle brackets become similar characters, and the text is cut to
 * `limit` characters. Such a line cannot imitate the structure around it.
 */
export function plainLine(text: string, limit: number): string {
  return oneLine(text, limit)
    .replace(/["“”]/g, "'")
    .replace(/`/g, "'")
    .replace(/</g, '‹')
    .replace(/>/g, '›');
}

/** A text as one line of at most `limit` characters, without control and unseen characters. */
export function oneLine(text: string, limit: number): string {
  const line = text
    .slice(0, limit * 4)
    .toWellFormed()
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .replace(EMOJI_OR_UNSEEN, '$1')
    .trim();
  return truncate(line, limit);
}

/** The first sentence of a text, as one safe line. */
export function firstSentence(text: string, limit: number): string {
  const line = plainLine(text, limit * 4);
  const end = /[.!?。！？](?=\s|$)/u.exec(line);
  return truncate(end ? line.slice(0, end.index) : line, limit);
}

/** The text with a full stop at its end, if it has no other mark there. */
export function asSentence(text: string): string {
  return /[.!?…。！？]\s*$/u.test(text) ? text.trimEnd() : `${text.trimEnd()}.`;
}

/** `1 group`, `2 groups`. */
export function plainCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The text cut to at most `limit` characters, whole code points only, with a mark where cut. */
export function truncate(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text
    .slice(0, limit - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`;
}

/** A number for people, rounded, in groups of three digits. */
export function formatNumber(value: number): string {
  // Not by `toLocaleString`: its first use loads tables of languages, which delays the first request.
  return `${Math.round(value)}`.replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 turn`, `1,200 turns`. */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}
