import { applyEdits, findNodeAtLocation, modify, parseTree } from 'jsonc-parser';
import { formatOf, insertMembers } from './insert-members.ts';
import type { Allowed } from './settings/index.ts';

const PLACE = ['toolfold', 'approvals', 'allow'];

/** Adds what is allowed to `approvals.allow` in the text of a configuration file. The rest of the text does not change. */
export function withAllowed(text: string, allowed: Allowed): string {
  const { unit, eol } = formatOf(text);
  const formattingOptions = {
    insertSpaces: !unit.startsWith('\t'),
    tabSize: unit.length,
    eol,
  };
  const edits = modify(text, [...PLACE, -1], allowed, {
    formattingOptions,
    isArrayInsertion: true,
  });
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

/**
 * Adds rules to `exposure` in the text of a configuration file, behind those that are there. Rules whose glob
 * is there are left out. The rest of the text does not change.
 */
export function withExposure(
  text: string,
  rules: Iterable<readonly [glob: string, exposure: string]>,
): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const path = ['toolfold', 'exposure'];
  // The deepest object of the path that is there.
  const found = [path, path.slice(0, 1), []].find(
    (keys) => root && findNodeAtLocation(root, keys)?.type === 'object',
  );
  const place = root && found && findNodeAtLocation(root, found);
  if (!place || !found) return text;
  const known = new Set(place.children?.map(({ children = [] }) => children[0]?.value));
  const isWhole = found.length === path.length;
  const added = [...new Map(rules)].filter(([glob]) => !isWhole || !known.has(glob));
  if (added.length === 0) return text;
  // What is missing of the path stands around the rules.
  const missing = path.slice(found.length).reverse();
  const members = missing.reduce<object>(
    (inner, key) => ({ [key]: inner }),
    Object.fromEntries(added),
  );
  return insertMembers(text, place, Object.entries(members));
}
