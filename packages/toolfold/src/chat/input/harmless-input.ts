/** Control characters in 8 bits, and characters that change the direction of a text. */
const INVISIBLE = /[\u0080-\u009F\u202A-\u202E\u2066-\u2069]/g;
/** Control characters besides line ends and tabs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the matter
const CONTROLS = /[\u0000-\u0008\u000B-\u001F\u007F]/g;

/** What the terminal has sent, keys or a paste, without what the input would write back unseen. */
export function harmlessKeys(data: string): string {
  return data.replace(INVISIBLE, '');
}

/** A text from elsewhere, such as a file or an earlier message, as it may stand in the input. */
export function harmlessInput(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(CONTROLS, '').replace(INVISIBLE, '');
}
