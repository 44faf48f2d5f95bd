import { checkIds, invalidLine, readJsonLines, requiredText } from './json-lines.ts';

const QUERY = { what: 'a query', form: '{ "id", "query" }' };

/** A query of a file. The text may be empty: then no tool matches. */
export interface FileQuery {
  readonly id: string | number;
  readonly query: string;
}

/** Reads a file of queries, one a line. Throws `invalid-option` for a line that is not a query. */
export async function readQueryFile(file: string, signal: AbortSignal): Promise<FileQuery[]> {
  const lines = await readJsonLines(file, QUERY, signal);
  const queries = lines.map((line) => {
    const { id, query } = line.value;
    if (typeof query !== 'string') throw invalidLine(line.where, 'it has no "query"', QUERY);
    // Files often number their queries. The output has the id as it was given.
    const given = typeof id === 'number' ? id : requiredText(line, 'id', QUERY);
    return { where: line.where, id: given, query };
  });
  checkIds(queries);
  return queries.map(({ id, query }) => ({ id, query }));
}
