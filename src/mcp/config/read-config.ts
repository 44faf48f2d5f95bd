import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { aKind, JsonSource, type Node, readSettings } from '../../config/index.ts';
import { quote } from '../../config/quoting/index.ts';
import { errorMessage, ToolfoldError } from '../../errors.ts';
import { ownProperty } from '../../tools/values/index.ts';
import type { ServerEntry, ToolfoldConfig } from './config.ts';
import { readServerEntry } from './server-entry.ts';
import type { VariableScope } from './variables.ts';

/** The failure of a server with a blank name: roles, approvals and messages could not refer to it. */
const NAMELESS: ServerEntry = {
  kind: 'unusable',
  reason: 'its name is blank',
  remedy: 'Give it a name in the configuration.',
};

/** The sources of variables in a configuration. */
export interface ReadConfigOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The value of `${workspaceFolder}`. By default the folder that the file configures. */
  readonly workspaceFolder?: string;
  /** The value of `${ROOT}`, absolute. By default the working folder of this process. */
  readonly root?: string;
}

const KNOWN_KEYS = ['mcpServers', 'servers', 'inputs', 'toolfold'];

/**
 * Reads an MCP client's configuration file: `mcpServers` (Claude, Cursor, Windsurf, Gemini CLI) or
 * `servers` with `inputs` (VS Code), and the `toolfold` block. Throws `invalid-config` with file,
 * line and column. A mistake in one server's entry makes only that server fail.
 */
export async function readConfig(
  file: string,
  options: ReadConfigOptions,
): Promise<ToolfoldConfig> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const message = `${file} cannot be read: ${errorMessage(error)}.`;
    throw new ToolfoldError('invalid-config', message, 'Check the path.', error);
  });
  return parseConfig(file, text, options);
}

/** Like `readConfig`, for text that is already read. `file` is used only in messages. */
export function parseConfig(
  file: string,
  text: string,
  options: ReadConfigOptions,
): ToolfoldConfig {
  const source = new JsonSource(file, text);
  const members = rootMembers(source);
  const list = serverList(source, members);
  const block = members.get('toolfold');
  const settings = block && readSettings(source, block.value);
  const scope: VariableScope = {
    env: options.env,
    workspaceFolder: options.workspaceFolder ?? workspaceOf(file),
    root: options.root ?? process.cwd(),
    inputs: readInputs(source, members.get('inputs')?.value),
  };
  const servers = new Map<string, ServerEntry>();
  const disabled: string[] = [];
  for (const [name, { value }] of list ? objectMembers(source, list) : []) {
    const entry = source.value(value);
    if (ownProperty(entry, 'disabled') === true) disabled.push(name);
    else servers.set(name, name.trim() === '' ? NAMELESS : readServerEntry(entry, scope));
  }
  return { file, servers, disabled, settings };
}

function rootMembers(source: JsonSource): ReturnType<JsonSource['members']> {
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

/** The list of servers among the members of a file. Throws if there are two. */
export function serverList(
  source: JsonSource,
  members: ReturnType<JsonSource['members']>,
): Node | undefined {
  const [servers, other] = [members.get('mcpServers'), members.get('servers')];
  if (servers === undefined || other === undefined) return (servers ?? other)?.value;
  const message = 'The file has both "mcpServers" and "servers".';
  throw source.error(other.key, message, 'Put all servers under one of the two.');
}

function skeleton(key: string): string {
  return key.toLowerCase().replace(/[^a-z]|s$/g, '');
}

function objectMembers(source: JsonSource, node: Node): ReturnType<JsonSource['members']> {
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
      const id = ownProperty(input, 'id');
      const value = ownProperty(input, 'default');
      if (typeof id !== 'string') {
        throw source.error(child, 'An input has no "id".', 'Expected "id" to be a string.');
      }
      return [id, typeof value === 'string' ? value : undefined];
    }),
  );
}

/** The folder that a file configures. For `.vscode/mcp.json` and `.cursor/mcp.json` the one above theirs. */
export function workspaceOf(file: string): string {
  const folder = dirname(resolve(file));
  return ['.vscode', '.cursor'].includes(basename(folder)) ? dirname(folder) : folder;
}
