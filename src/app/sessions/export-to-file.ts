import { existsSync } from 'node:fs';
import { link, open, rename, rm } from 'node:fs/promises';
import { errorMessage } from '../../errors.ts';
import { exportSession, type Session } from '../../sessions/index.ts';
import { escapedControls, usageError } from '../terminal/index.ts';
import { sessionMarkdown } from '../transcript/index.ts';

export type ExportFormat = 'jsonl' | 'markdown';

/**
 * Writes a session to a file that only the user can read (mode 0600), in one step: it is there whole, or not at all.
 * An existing file is replaced only with `force`. Rejects with `invalid-option` if the file is there or cannot be
 * written.
 */
export async function exportToFile(
  session: Session,
  file: string,
  { format, force = false }: { readonly format: ExportFormat; readonly force?: boolean },
): Promise<void> {
  const checkFree = (): void => {
    if (force || !existsSync(file)) return;
    const hint = 'Give another file, or replace it with --force.';
    throw usageError(`There is a file ${file} already.`, hint);
  };
  const fail = (cause: unknown): never => {
    const message = `${file} cannot be written: ${errorMessage(cause)}.`;
    throw usageError(message, 'Check the path.', cause);
  };
  checkFree();
  const fresh = `${file}.${process.pid}.tmp`;
  try {
    const handle = await open(fresh, 'wx', 0o600).catch(fail);
    try {
      for await (const text of textsOf(session, format)) await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // Unlike a renamed file, a link replaces no file that has come meanwhile. Some file systems have no links.
    if (!force && (await link(fresh, file).catch(errorMessage)) === undefined) return;
    checkFree();
    await rename(fresh, file).catch(fail);
  } finally {
    await rm(fresh, { force: true });
  }
}

/** The text of a session, in parts. */
export async function* textsOf(
  session: Session,
  format: ExportFormat,
): AsyncGenerator<string, void> {
  if (format === 'markdown') yield sessionMarkdown(session.record, session.entries);
  else for await (const line of exportSession(session)) yield `${escapedControls(line)}\n`;
}
