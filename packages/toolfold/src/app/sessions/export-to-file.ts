import { exportSession, type Session } from '@toolfold/agent/internal/sessions';
import { writePlace } from '../files/index.ts';
import { escapedControls } from '../terminal/index.ts';
import { sessionMarkdown } from '../transcript/index.ts';

export type ExportFormat = 'jsonl' | 'markdown';

/**
 * Writes a session to a file, as `writePlace` does. An existing file is replaced only with `force`. Rejects with
 * `invalid-option` if the file is there or cannot be written.
 */
export async function exportToFile(
  session: Session,
  file: string,
  { format, force = false }: { readonly format: ExportFormat; readonly force?: boolean },
): Promise<void> {
  await writePlace(file, textsOf(session, format), { force });
}

/** The text of a session, in parts. */
export async function* textsOf(
  session: Session,
  format: ExportFormat,
): AsyncGenerator<string, void> {
  if (format === 'markdown') yield sessionMarkdown(session.record, session.entries);
  else for await (const line of exportSession(session)) yield `${escapedControls(line)}\n`;
}
