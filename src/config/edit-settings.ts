import { applyEdits, type FormattingOptions, modify, parseTree } from 'jsonc-parser';

const PLACE = ['toolfold', 'approvals', 'allow'];

/** Adds a tool to `approvals.allow` in the text of a configuration file. The rest of the text does not change. */
export function withAllowed(text: string, name: string): string {
  const edits = modify(text, [...PLACE, -1], name, {
    formattingOptions: formatOf(text),
    isArrayInsertion: true,
  });
  return applyEdits(text, edits);
}

/**
 * Adds servers to the text of a configuration file, under `servers` if the file has that key, else
 * under `mcpServers`. The names must be new. The rest of the text does not change.
 */
export function withServers(
  text: string,
  servers: Iterable<readonly [name: string, entry: object]>,
): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const keys = (root?.children ?? []).map(({ children }) => children?.[0]?.value);
  const place = keys.includes('servers') ? 'servers' : 'mcpServers';
  const formattingOptions = formatOf(text);
  let after = text;
  for (const [name, entry] of servers)
    after = applyEdits(after, modify(after, [place, name], entry, { formattingOptions }));
  return after;
}

/** The indent and the line ends of a text. */
function formatOf(text: string): FormattingOptions {
  const indent = /^(\t+| +)\S/m.exec(text)?.[1] ?? '  ';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}
