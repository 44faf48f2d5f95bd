import { applyEdits, modify, parseTree } from 'jsonc-parser';
import { formatOf, insertMembers } from './insert-members.ts';

const PLACE = ['toolfold', 'approvals', 'allow'];

/** Adds a tool to `approvals.allow` in the text of a configuration file. The rest of the text does not change. */
export function withAllowed(text: string, name: string): string {
  const { unit, eol } = formatOf(text);
  const formattingOptions = {
    insertSpaces: !unit.startsWith('\t'),
    tabSize: unit.length,
    eol,
  };
  const edits = modify(text, [...PLACE, -1], name, { formattingOptions, isArrayInsertion: true });
  return applyEdits(text, edits);
}

/**
 * Adds servers to the text of a configuration file, under `servers` if the file has that key, else
 * under `mcpServers`. The names must be new. The rest of the text does not change. Returns the same
 * text if there is no place for servers.
 */
export function withServers(
  text: string,
  servers: Iterable<readonly [name: string, entry: object]>,
): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root?.type !== 'object') return text;
  const members = new Map(
    (root.children ?? []).map(({ children = [] }) => [children[0]?.value, children[1]]),
  );
  const place = members.get('servers') ?? members.get('mcpServers');
  if (place !== undefined)
    return place.type === 'object' ? insertMembers(text, place, servers) : text;
  return insertMembers(text, root, [['mcpServers', Object.fromEntries(servers)]]);
}
