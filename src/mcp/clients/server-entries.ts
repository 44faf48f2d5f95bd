import { aKind, type JsonSource, type Node } from '../../config/index.ts';
import {
  isRecord,
  type JsonObject,
  type JsonValue,
  listIn,
  ownProperty,
} from '../../tools/values/index.ts';
import type { ClientPlace } from './client-places.ts';
import { opencodeDisabled, opencodeEntry } from './opencode.ts';

/** A server as a client's file describes it, with nothing filled in. */
export interface ClientServer {
  readonly name: string;
  readonly entry: JsonValue;
  readonly isDisabled: boolean;
}

/** A value that VS Code asks for. */
export interface ClientInput {
  readonly id: string;
  /** A value to start with. Never that of a password. */
  readonly default: string | undefined;
}

/** What a client's file says about servers. */
export interface ClientServers {
  readonly servers: readonly ClientServer[];
  readonly inputs: readonly ClientInput[];
  /** Names of servers of the project's other files that this file switches off. */
  readonly rejected: readonly string[];
}

/**
 * The servers of a client's file in the order of the file. `cwd` is the folder of the project, for
 * clients that keep the servers of projects in the user's file. Throws `invalid-config` with the
 * position of a mistake.
 */
export function serversIn(source: JsonSource, place: ClientPlace, cwd: string): ClientServers {
  const root = membersOf(source, source.root, 'The file');
  const own = { zed: 'context_servers', opencode: 'mcp', json: '', codex: '' }[place.format];
  const node = own === '' ? standardServers(source, root) : root.get(own);
  const disabled = new Set(disabledNames(source, root, place, cwd));
  const local = place.id === 'claude-code' ? projectServers(source, root, cwd) : undefined;
  // A server of the project takes precedence over one of the user, as in Claude Code.
  const found = new Map<string, JsonValue>();
  for (const servers of [local, node]) {
    if (servers === undefined) continue;
    for (const [name, value] of membersOf(source, servers, 'The list of servers'))
      if (!found.has(name)) found.set(name, source.value(value));
  }
  const tools = place.format === 'opencode' ? root.get('tools') : undefined;
  const rules = tools && source.value(tools);
  const servers = [...found].map(([name, raw]) => {
    const { entry, isDisabled } = clientServer([name, adapted(raw, place)]);
    const hidden = opencodeDisabled(name, rules);
    const limited =
      isRecord(entry) && hidden.length > 0 ? { ...entry, disabledTools: hidden } : entry;
    return { name, entry: limited, isDisabled: isDisabled || disabled.has(name) };
  });
  const inputs = root.get('inputs');
  return {
    servers,
    inputs: inputs === undefined ? [] : inputsIn(source.value(inputs)),
    rejected: [...disabled, ...rejectedIn(source, root, place, cwd)],
  };
}

/** A server by its entry alone. */
export function clientServer([name, entry]: readonly [string, JsonValue]): ClientServer {
  const isDisabled =
    ownProperty(entry, 'disabled') === true || ownProperty(entry, 'enabled') === false;
  return { name, entry, isDisabled };
}

/** Servers of `.mcp.json` that Claude Code does not start in the project. */
function rejectedIn(
  source: JsonSource,
  root: ReadonlyMap<string, Node>,
  { id }: ClientPlace,
  cwd: string,
): string[] {
  if (id !== 'claude-code') return [];
  const own = root.get('disabledMcpjsonServers');
  const listed = own === undefined ? [] : texts(source.value(own));
  return [...listed, ...projectNames(source, root, cwd, 'disabledMcpjsonServers')];
}

/** The names under a key of the entry that Claude Code keeps for a project. */
function projectNames(
  source: JsonSource,
  root: ReadonlyMap<string, Node>,
  cwd: string,
  key: string,
): string[] {
  const list = projectOf(source, root, cwd)?.get(key);
  return list === undefined ? [] : texts(source.value(list));
}

function standardServers(source: JsonSource, root: ReadonlyMap<string, Node>): Node | undefined {
  const [servers, other] = [root.get('mcpServers'), root.get('servers')];
  if (servers === undefined || other === undefined) return servers ?? other;
  throw source.error(
    other,
    'The file has both "mcpServers" and "servers".',
    'Put all servers under one of the two.',
  );
}

/** Names that the file itself switches off outside the entries. */
function disabledNames(
  source: JsonSource,
  root: ReadonlyMap<string, Node>,
  { id }: ClientPlace,
  cwd: string,
): string[] {
  if (id === 'claude-code') return projectNames(source, root, cwd, 'disabledMcpServers');
  const rules = id === 'gemini-cli' ? root.get('mcp') : undefined;
  if (rules === undefined) return [];
  const value = source.value(rules);
  const [allowed, excluded] = [
    texts(ownProperty(value, 'allowed')),
    texts(ownProperty(value, 'excluded')),
  ];
  const servers = root.get('mcpServers');
  const names = servers?.type === 'object' ? [...source.members(servers).keys()] : [];
  // Gemini CLI ignores case. An empty list allows all.
  const isIn = (list: readonly string[], name: string): boolean =>
    list.some((item) => sameInGemini(item) === sameInGemini(name));
  return names.filter(
    (name) => isIn(excluded, name) || (allowed.length > 0 && !isIn(allowed, name)),
  );
}

/** The form in which Gemini CLI compares names of servers. */
export function sameInGemini(name: string): string {
  return name.toLowerCase().trim();
}

/** The servers that Claude Code keeps for a project in the user's file. */
function projectServers(
  source: JsonSource,
  root: ReadonlyMap<string, Node>,
  cwd: string,
): Node | undefined {
  return projectOf(source, root, cwd)?.get('mcpServers');
}

function projectOf(
  source: JsonSource,
  root: ReadonlyMap<string, Node>,
  cwd: string,
): ReadonlyMap<string, Node> | undefined {
  const projects = root.get('projects');
  if (projects?.type !== 'object') return;
  const members = source.members(projects);
  // On Windows, Claude Code writes the folder with slashes.
  const project = members.get(cwd) ?? members.get(cwd.replaceAll('\\', '/'));
  if (project?.value.type !== 'object') return;
  return membersOf(source, project.value, 'The project');
}

/** The entry in the form that Toolfold reads. Keys that Toolfold does not know stay. */
function adapted(entry: JsonValue, { id, format }: ClientPlace): JsonValue {
  if (!isRecord(entry)) return entry;
  if (format === 'opencode') return opencodeEntry(entry as JsonObject);
  if (format === 'zed') {
    const command = ownProperty(entry, 'command');
    // Older settings of Zed: { "command": { "path", "args", "env" } }.
    if (!isRecord(command)) return entry;
    const { path, ...rest } = command;
    return { ...entry, ...rest, command: path } as JsonObject;
  }
  const type = ownProperty(entry, 'type') ?? ownProperty(entry, 'transportType');
  // A url without a type means the older kind of server in Cline. Gemini CLI tries both kinds.
  const url = type === undefined ? ownProperty(entry, 'url') : undefined;
  const isOlder = id === 'cline' || (id === 'gemini-cli' && /\/sse\/?$/.test(String(url)));
  if (url !== undefined && isOlder) return { ...entry, type: 'sse' } as JsonObject;
  return type === undefined ? entry : ({ ...entry, type } as JsonObject);
}

function inputsIn(value: JsonValue): ClientInput[] {
  return (Array.isArray(value) ? value : []).flatMap((input) => {
    const id = ownProperty(input, 'id');
    const start = ownProperty(input, 'default');
    const isShown = typeof start === 'string' && ownProperty(input, 'password') !== true;
    return typeof id === 'string' ? [{ id, default: isShown ? start : undefined }] : [];
  });
}

function membersOf(source: JsonSource, node: Node, what: string): Map<string, Node> {
  if (node.type !== 'object')
    throw source.error(node, `${what} is ${aKind(node.type)}.`, 'Expected an object.');
  return new Map([...source.members(node)].map(([name, { value }]) => [name, value]));
}

function texts(value: unknown): string[] {
  return listIn({ value }, 'value').filter((item) => typeof item === 'string');
}
