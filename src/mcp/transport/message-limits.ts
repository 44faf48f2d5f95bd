/** Longest message of a server, in bytes; the largest real listing is 4 MB. */
export const MAX_MESSAGE: number = 64 * 1024 * 1024;

/** Objects and lists in one message; each costs many times the bytes it is written in. */
const MAX_MEMBERS = 1_000_000;

/** Levels at which a message as a whole is refused; below that its parts are judged one by one. */
const MAX_LEVELS = 10_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Why a message is not read at all: told from its text, before parsing takes the memory. */
export function excessOf(text: string): string | undefined {
  if (text.length > MAX_MESSAGE) return tooLong();
  let levels = 0;
  let members = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(text, at + 1);
    else if (unit === 0x7b || unit === 0x5b) {
      levels += 1;
      members += 1;
      if (levels > MAX_LEVELS)
        return `it sent a message nested more than ${MAX_LEVELS} levels deep`;
      if (members > MAX_MEMBERS) return `it sent a message of more than ${MAX_MEMBERS} objects`;
    } else if (unit === 0x7d || unit === 0x5d) levels -= 1;
  }
  return;
}

/** Where the string ends that begins here; at the end of the text where it does not end. */
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

/** The words for a message over the limit of bytes. */
export function tooLong(): string {
  return `it sent a message of more than ${MAX_MESSAGE / 1024 / 1024} MB`;
}
