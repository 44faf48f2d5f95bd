import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { ownProperty } from '@toolfold/core/internal/tools/values';
import { usageError } from '../../app/terminal/index.ts';
import type { DataPart } from './parts.ts';

/** The endings of files by media type, where the subtype is not itself the ending. */
const ENDINGS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/webm': 'weba',
  'application/gzip': 'gz',
  'text/plain': 'txt',
  'text/markdown': 'md',
};
const OWN_ENDING =
  /^(?:image\/(?:png|jpg|gif|webp|avif|bmp|tiff)|audio\/(?:wav|mp3|ogg|flac|aac)|video\/(?:mp4|webm)|application\/(?:pdf|json|zip|xml)|text\/(?:html|csv|xml))$/;

const MOST_TRIES = 10_000;

/**
 * Writes data to a new file: `name-1.png`, or the next number that is free. Nothing of its name but the
 * ending comes from the server. `name`: of characters that every system allows. Returns `undefined` if the
 * data is not base64. Throws `invalid-option` if the folder cannot be written.
 */
export async function saveData(
  { base64, mediaType }: DataPart,
  folder: string,
  name: string,
): Promise<{ readonly path: string; readonly bytes: number } | undefined> {
  // The decoder skips wrong characters.
  if (/[^\w+/=\s-]/.test(base64)) return;
  const data = Buffer.from(base64, 'base64');
  try {
    await mkdir(folder, { recursive: true });
    for (let number = 1; number <= MOST_TRIES; number++) {
      const path = join(folder, `${name}-${number}.${endingOf(mediaType)}`);
      if (await isCreated(path, data)) return { path, bytes: data.length };
    }
    throw new Error(`it has ${MOST_TRIES} such files`);
  } catch (error) {
    throw usageError(
      `${folder} cannot be written: ${errorMessage(error)}.`,
      'Give another folder with --out. The tool has run.',
      error,
    );
  }
}

/** The ending for a media type, without its parameters; `bin` for others. */
function endingOf(mediaType: string | undefined): string {
  const [essence = ''] = (mediaType ?? '').toLowerCase().split(';', 1);
  const type = essence.trim();
  if (OWN_ENDING.test(type)) return type.slice(type.indexOf('/') + 1);
  return Object.hasOwn(ENDINGS, type) ? (ENDINGS[type] ?? 'bin') : 'bin';
}

/** Creates a file. Returns false if there is one, or a link, of this name. */
async function isCreated(path: string, data: Buffer): Promise<boolean> {
  try {
    await writeFile(path, data, { flag: 'wx' });
    return true;
  } catch (error) {
    if (ownProperty(error, 'code') === 'EEXIST') return false;
    throw error;
  }
}
