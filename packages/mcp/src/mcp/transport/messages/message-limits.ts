import { formatNumber } from '@toolfold/core/internal/tools/values';

/** Maximum bytes of a server's message. The largest real listing is 4 MB. */
export const MAX_MESSAGE: number = 64 * 1024 * 1024;

/** Maximum objects and lists in one message. Each costs much more memory than its bytes of text. */
const MAX_MEMBERS = 1_000_000;

/** Maximum nesting of a whole message. Below this limit, the parts of a message are checked separately. */
const MAX_LEVELS = 10_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Why a message exceeds the limits, if it does. Checks the text before parsing allocates memory. */
export function excessOf(text: string): string | undefined {
  if (text.length > MAX_MESSAGE) return tooLong();
  // Each level and each member has a character of its own.
  if (text.length <= MAX_LEVELS) return;
  let levels = 0;
  let members = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(text, at + 1);
    else if (unit === 0x7b || unit === 0x5b) {
      levels += 1;
      members += 1;
      if (levels > MAX_LEVELS)
        return `it sent a message nested more than ${formatNumber(MAX_LEVELS)} levels deep`;
      if (members > MAX_MEMBERS)
        return `it sent a message of more than ${formatNumber(MAX_MEMBERS)} objects`;
    } else if (unit === 0x7d || unit === 0x5d) levels -= 1;
  }
  return;
}

/** The index of the closing quote of a string; the length of the text if there is none. */
function endOfString(text: string, from: number): number {
  for (let at = from; ; at++) {
    const end = text.indexOf('"', at);
    if (end < 0) return text.length;
    let escapes = end;
    while (escapes > from && text.charCodeAt(escapes - 1) === BACKSLASH) escapes -= 1;
    if ((end - escapes) % 2 === 0) return end;
    at = end;
  }
}

/** The reason for a message with too many bytes. */
export function tooLong(): string {
  return `it sent a message of more than ${MAX_MESSAGE / 1024 / 1024} MB`;
}
