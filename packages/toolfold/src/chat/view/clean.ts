import { truncate } from '@toolfold/core/internal/tools/values';
import { stripControls } from '@toolfold/mcp/internal/mcp/controls';

/**
 * Characters without a width of their own, such as selectors, fillers and combining keycaps: terminals do
 * not agree on the width of what they make.
 */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\u20E3/gu;

/** Joins two emoji, such as those of a family. Terminals that draw both as one agree on two columns. */
const JOINER = '\u200D';
const JOINED = /(?<=\p{Emoji_Presentation}\p{Emoji_Modifier}?)\u200D(?=\p{Emoji_Presentation})/u;
const LOOSE =
  /(?<!\p{Emoji_Presentation}\p{Emoji_Modifier}?)\u200D|\u200D(?!\p{Emoji_Presentation})/gu;

/** Line ends of Unicode and of other systems. */
const LINE_ENDS = /\r\n?|[\u2028\u2029\u0085]/g;

/**
 * A text of a model, a tool or a server as the terminal may see it: without escape sequences, control
 * and direction characters, and cut to `limit` characters. Tabs become spaces.
 */
export function cleanText(text: string, limit: number): string {
  const lines = text.slice(0, limit * 2).replace(LINE_ENDS, '\n');
  if (!lines.includes(JOINER)) return truncate(cleanPart(lines), limit);
  const clean = lines.split(JOINED).map(cleanPart).join(JOINER);
  return truncate(clean.replace(LOOSE, ''), limit).replace(LOOSE, '');
}

function cleanPart(text: string): string {
  return stripControls(text).replace(INVISIBLE, '').replaceAll('\t', '    ');
}

/** As `cleanText`, in one line. */
export function cleanLine(text: string, limit: number): string {
  return cleanText(text.slice(0, limit * 2), limit)
    .replace(/\s+/g, ' ')
    .trim();
}
