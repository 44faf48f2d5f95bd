import { aKind, JsonSource } from '@toolfold/config/internal/config';
import { quote } from '@toolfold/config/internal/config/quoting';
import type { JsonValue } from '@toolfold/core/internal/tools/values';
import { ownProperty } from '@toolfold/core/internal/tools/values';
import { tomlValue } from './codex.ts';
import type { ClientPlace } from './places.ts';
import { continueServers, gooseServers, yamlValue } from './yaml-clients.ts';

const KNOWN_KEYS = ['mcpServers', 'servers', 'inputs', 'toolfold'];

/** Reads the text of a client's file. Throws `invalid-config` with the position of a mistake. */
export async function clientSource(
  { file, format }: ClientPlace,
  text: string,
): Promise<JsonSource> {
  const own = async (servers: (root: JsonValue) => unknown, root: Promise<JsonValue>) =>
    new JsonSource(file, JSON.stringify({ mcpServers: servers(await root) ?? {} }));
  if (format === 'codex')
    return own((root) => ownProperty(root, 'mcp_servers'), tomlValue(file, text));
  if (format === 'goose') return own(gooseServers, yamlValue(file, text));
  if (format === 'continue') return own(continueServers, yamlValue(file, text));
  return new JsonSource(file, text);
}

/** The members of a file. Throws if it is no object, and if a key is misspelt. */
export function rootMembers(source: JsonSource): ReturnType<JsonSource['members']> {
  if (source.root.type !== 'object') {
    throw source.error(
      source.root,
      `The file holds ${aKind(source.root.type)}.`,
      'Expected an object with "mcpServers", "servers" or "toolfold".',
    );
  }
  const members = source.members(source.root);
  // A client's settings file without servers is valid, a misspelt key is not. Only these close
  // spellings count, because such files have other keys like `mcp` and `enabledMcpServers`.
  if (KNOWN_KEYS.some((known) => members.has(known))) return members;
  for (const [name, { key }] of members) {
    const near = KNOWN_KEYS.find((known) => skeleton(known) === skeleton(name));
    if (near === undefined) continue;
    throw source.error(key, `Unknown key ${quote(name)}.`, `Did you mean "${near}"?`);
  }
  return members;
}

function skeleton(key: string): string {
  return key.toLowerCase().replace(/[^a-z]|s$/g, '');
}
