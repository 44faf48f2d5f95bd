import { join } from 'node:path';
import { besideBody, type EntryRow } from '../../src/sqlite/entries.ts';
import { written } from '../../src/sqlite/sqlite-error.ts';
import { SessionFile } from '../../src/sqlite/sqlite-store.ts';

/** Changes the JSON of a session's entries in the file, as somebody who also writes the checksums. */
export function changeEntries(
  folder: string,
  session: string,
  change: (row: Pick<EntryRow, 'kind' | 'json'>) => string,
): void {
  const file = new SessionFile(join(folder, 'sessions.db'), { onWarning: () => {} });
  file.write((database) => {
    const rows = database.all<EntryRow>(
      `SELECT entry.id, entry.parent, entry.seq, kind, at, json FROM entry
       JOIN session ON session.number = branch WHERE session.id = ?`,
      session,
    );
    for (const row of rows) {
      const { json, checksum } = written(JSON.parse(change(row)), besideBody(row));
      database.run('UPDATE entry SET json = ?, checksum = ? WHERE id = ?', json, checksum, row.id);
    }
  });
  file.close();
}
