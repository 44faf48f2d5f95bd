import { constants, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Socket } from 'node:net';
import { addAbortSignal, type Readable } from 'node:stream';

/** Does not wait for the writer of a pipe. Windows has no such flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** The paths of what the shell has opened for this process, as for `<(command)`. */
const OPENED = /^\/(?:dev\/stdin|(?:dev|proc\/self)\/fd\/\d+)$/;

/**
 * Opens a file that the user has named: a regular one, or a pipe that the shell has opened for this process. Rejects for
 * anything else, such as a named pipe, which may never have a writer.
 */
export async function openNamed(file: string): Promise<Readable> {
  const handle = await open(file, FLAGS);
  try {
    const found = await handle.stat();
    // A folder says by itself that it cannot be read.
    if (found.isFile() || found.isDirectory()) return handle.createReadStream();
    if (!found.isFIFO() || !OPENED.test(file)) throw new Error('it is not a regular file');
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  // A stream of a file would wait for the writer in a thread, which keeps the process.
  return new Socket({ fd: openSync(file, FLAGS), readable: true, writable: false });
}

/** The text of a file, as `openNamed` opens it. */
export async function readNamed(file: string, signal?: AbortSignal): Promise<string> {
  const stream = await openNamed(file);
  stream.setEncoding('utf8');
  let text = '';
  for await (const piece of signal ? addAbortSignal(signal, stream) : stream) text += piece;
  return text;
}
