import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { mediaTypeOf } from '@toolfold/core/internal/values';
import { typedPath } from '../terminal/index.ts';

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

/** What a terminal sends for a paste. A file that is dragged into it comes as a paste of its path. */
const [BEGIN, END] = ['\u001B[200~', '\u001B[201~'];
/** Most characters of a paste that may be paths. */
const MAX_PASTE = 10_000;
/** Words of a shell: with backslashes, or between quotation marks. */
const WORD = /(?:\\.|'[^']*'|"(?:\\.|[^"\\])*"|[^\s'"\\])+/g;
/** Names that can not be mentioned. */
const UNTYPABLE = /["\p{Cc}\u202A-\u202E\u2066-\u2069]/u;

/** What the terminal has sent, as it goes into the input: harmless, and with mentions of pasted files. */
export function readKeys(data: string, folder: string = process.cwd()): string {
  return withPastedFiles(harmlessKeys(data), folder);
}

/**
 * A paste that is nothing but paths of images and PDFs mentions them, as `@path` does: terminals paste the
 * path of a file that is dragged into them, with spaces as they are, with backslashes, between quotation marks, or as an address.
 */
function withPastedFiles(data: string, folder: string): string {
  if (!data.startsWith(BEGIN) || !data.endsWith(END) || data.length > MAX_PASTE) return data;
  const pasted = data.slice(BEGIN.length, -END.length).trim();
  const mentions = mentionsOf([pasted], folder) ?? mentionsOf(wordsOf(pasted), folder);
  return mentions ? `${BEGIN}${mentions.join(' ')} ${END}` : data;
}

/** Undefined unless all are images or PDFs. */
function mentionsOf(paths: readonly string[], folder: string): readonly string[] | undefined {
  const files = paths.map((path) => (path.startsWith('file:') ? fromAddress(path) : path));
  const areSeen = files.every((file) => !UNTYPABLE.test(file) && isSeen(typedPath(folder, file)));
  return areSeen && files.length > 0 ? files.map((file) => `@"${file}"`) : undefined;
}

function wordsOf(text: string): readonly string[] {
  const quoted = /\\(.)|'([^']*)'|"((?:\\.|[^"\\])*)"/g;
  return (text.match(WORD) ?? []).map((word) =>
    word.replace(
      quoted,
      (_, escaped?: string, plain?: string, inside?: string) =>
        escaped ?? plain ?? inside?.replace(/\\([\\"$`])/g, '$1') ?? '',
    ),
  );
}

/** The path of a file that is named by its address. Empty if it is none of this computer. */
function fromAddress(address: string): string {
  try {
    return fileURLToPath(address);
  } catch {
    return '';
  }
}

/** Whether it is a file that a model can see. Nothing but regular files is opened: a pipe would wait for its writer. */
function isSeen(file: string): boolean {
  try {
    if (!statSync(file).isFile()) return false;
    const descriptor = openSync(file, 'r');
    try {
      const head = Buffer.alloc(16);
      return mediaTypeOf(head.subarray(0, readSync(descriptor, head, 0, 16, 0))) !== undefined;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return false;
  }
}
