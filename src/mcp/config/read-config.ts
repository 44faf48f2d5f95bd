import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { aKind, JsonSource, type Node, quote, readSettings } from '../../config/index.ts';
import { errorMessage, ToolfoldError } from '../../errors.ts';
import { own } from '../../tools/values/index.ts';
import type { ServerEntry, ToolfoldConfig } from './config.ts';
import { readServerEntry } from './server-entry.ts';
import type { VariableScope } from './variables.ts';

/** Nobody could say which server is meant, in a role, an approval or a message. */
const NAMELESS: ServerEntry = {
  kind: 'unusable',
  reason: 'its name is blank',
  remedy: 'Give it a name in the configuration.',
};

/** Where variables in a configuration come from. */
export interface ReadConfigOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What `${workspaceFolder}` is; by default the folder the file is the configuration of. */
  readonly workspaceFolder?: string;
}

const knownKeys = ['mcpServers', 'servers', 'inputs', 'toolfold'] as const;
type KnownKey = (typeof knownKeys)[number];

/**
 * Reads an MCP client's configuration file: `mcpServers` (Claude, Cursor, Windsurf, Gemini CLI) or
 * `servers` with `inputs` (VS Code), and the `toolfold` block. Throws `invalid-config` with file,
 * line and column; what is wrong with one server's entry is that server's failure alone.
 */
export async function readConfig(
  file: string,
  options: ReadConfigOptions,
): Promise<ToolfoldConfig> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new ToolfoldError(
      'invalid-config',
      `${file} cannot be read: ${errorMessage(error)}.`,
      'Check the path.',
      error,
    );
  }
  return parseConfig(file, text, options);
}

/** As `readConfig`, of a text already read; `file` is only named. */
export function parseConfig(
  file: string,
  text: string,
  options: ReadConfigOptions,
): ToolfoldConfig {
  const source = new JsonSource(file, text);
  const members = rootMembers(source);
  const block = members.get('toolfold');
  const settings = block && readSettings(source, block);
  const serversNode = members.get('mcpServers') ?? members.get('servers');
  const scope: VariableScope = {
    env: options.env,
    workspaceFolder: options.workspaceFolder ?? workspaceOf(file),
    inputs: readInputs(source, members.get('inputs')),
  };
  const servers = new Map<string, ServerEntry>();
  const disabled: string[] = [];
  for (const [name, { value }] of serversNode ? objectMembers(source, serversNode) : []) {
    const entry = source.value(value);
    if (own(entry, 'disabled') === true) disabled.push(name);
    else servers.set(name, name.trim() === '' ? NAMELESS : readServerEntry(entry, scope));
  }
  return { file, servers, disabled, settings };
}

function rootMembers(source: JsonSource): Map<KnownKey, Node> {
  if (source.root.type !== 'object') {
    throw source.error(
      source.root,
      `The file holds ${aKind(source.root.type)}.`,
      'Expected an object with "mcpServers", "servers" or "toolfold".',
    );
  }
  const members = source.members(source.root);
  const found = new Map<KnownKey, Node>();
  for (const key of knownKeys) {
    const member = members.get(key);
    if (member !== undefined) found.set(key, member.value);
  }
  if (found.has('mcpServers') && found.has('servers')) {
    throw source.error(
      members.get('servers')?.key ?? source.root,
      'The file has both "mcpServers" and "servers".',
      'Put all servers under one of the two.',
    );
  }
  // A client's general settings without servers are fine; a misspelt key is not. Only spellings as
  // close as these count: such files have keys like `mcp` and `enabledMcpServers` of their own.
  for (const [name, { key }] of found.size === 0 ? members : []) {
    const near = knownKeys.find((known) => skeleton(known) === skeleton(name));
    if (near === undefined) continue;
    throw source.error(key, `Unknown key ${quote(name)}.`, `Did you mean "${near}"?`);
  }
  return found;
}

/** The key without case, separators and a plural's s. */
function skeleton(key: string): string {
  return key.toLowerCase().replace(/[^a-z]|s$/g, '');
}

function objectMembers(source: JsonSource, node: Node): Map<string, { key: Node; value: Node }> {
  if (node.type === 'object') return source.members(node);
  throw source.error(
    node,
    `The servers are ${aKind(node.type)}.`,
    'Expected an object with an entry per server.',
  );
}

function readInputs(source: JsonSource, node: Node | undefined): Map<string, string | undefined> {
  if (node === undefined) return new Map();
  if (node.type !== 'array') {
    throw source.error(node, `"inputs" is ${aKind(node.type)}.`, 'Expected a list.');
  }
  return new Map(
    (node.children ?? []).map((child) => {
      const input = source.value(child);
      const id = own(input, 'id');
      const value = own(input, 'default');
      if (typeof id !== 'string') {
        throw source.error(child, 'An input has no "id".', 'Expected "id" to be a string.');
      }
      return [id, typeof value === 'string' ? value : undefined];
    }),
  );
}

/** `.vscode/mcp.json` and `.cursor/mcp.json` configure the folder above theirs. */
function workspaceOf(file: string): string {
  const folder = dirname(resolve(file));
  return ['.vscode', '.cursor'].includes(basename(folder)) ? dirname(folder) : folder;
}
