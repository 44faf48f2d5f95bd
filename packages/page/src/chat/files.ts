import type { WireFile } from '../wire/index.ts';

/** Most bytes of a file that is sent. */
const MOST = 10_000_000;

/** Files of a picker, a drop or the clipboard as they are sent. Those that are too large are named. */
export async function readFiles(
  files: Iterable<File>,
): Promise<{ readonly read: WireFile[]; readonly tooLarge: string[] }> {
  const all = [...files];
  const tooLarge = all.filter(({ size }) => size > MOST).map(({ name }) => name);
  const read = await Promise.all(all.filter(({ size }) => size <= MOST).map(readFile));
  return { read, tooLarge };
}

async function readFile(file: File): Promise<WireFile> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  // `apply` takes so many arguments.
  for (let at = 0; at < bytes.length; at += 32_768)
    text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return { name: file.name || 'pasted', mediaType: file.type || 'text/plain', data: btoa(text) };
}

/** Gives the browser a text to save as a file. */
export function saveText(name: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: 'text/markdown' }));
  const link = Object.assign(document.createElement('a'), { href, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
