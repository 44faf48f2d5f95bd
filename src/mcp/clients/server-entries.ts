import { aKind, type JsonSource, type Node } from '../../config/index.ts';
import {
  isRecord,
  type JsonObject,
  type JsonValue,
  listIn,
  ownProperties,
  ownProperty,
} from '../../tools/values/index.ts';
import { type ClientPlace, serverList } from '../config/index.ts';
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
  const nodeAt = (...path: readonly string[]): Node | undefined => {
    const { node, isThere } = source.at(source.root, path);
    return isThere ? node : undefined;
  };
  const valueAt = (...path: readonly string[]): JsonValue | undefined => {
    const node = nodeAt(...path);
    return node && source.value(node);
  };
  // On Windows, Claude Code writes the folder with slashes.
  const folder = nodeAt('projects', cwd) ? cwd : cwd.replaceAll('\\', '/');
  const ofProject = (key: string): string[] => ['projects', folder, key];
  const isClaude = place.id === 'claude-code';
  const disabled = isClaude
    ? texts(valueAt(...ofProject('disabledMcpServers')))
    : place.id === 'gemini-cli'
      ? disabledInSettings(valueAt('mcp'), valueAt('mcpServers'))
      : [];
  // Servers of `.mcp.json` that Claude Code does not start in the project.
  const rejectedAt = isClaude
    ? [['disabledMcpjsonServers'], ofProject('disabledMcpjsonServers')]
    : [];
  const own = { zed: 'context_servers', opencode: 'mcp', json: '', codex: '' }[place.format];
  const node = own === '' ? serverList(source, source.members(source.root)) : root.get(own);
  // A server of the project takes precedence over one of the user, as in Claude Code.
  const found = new Map<string, JsonValue>();
  for (const servers of [isClaude ? nodeAt(...ofProject('mcpServers')) : undefined, node]) {
    if (servers === undefined) continue;
    for (const [name, value] of membersOf(source, servers, 'The list of servers'))
      if (!found.has(name)) found.set(name, source.value(value));
  }
  const rules = place.format === 'opencode' ? valueAt('tools') : undefined;
  const servers = [...found].map(([name, raw]) => {
    const { entry, isDisabled } = clientServer([name, adapted(raw, place)]);
    const hidden = opencodeDisabled(name, rules);
    const limited =
      isRecord(entry) && hidden.length > 0 ? { ...entry, disabledTools: hidden } : entry;
    return { name, entry: limited, isDisabled: isDisabled || disabled.includes(name) };
  });
  return {
    servers,
    inputs: inputsIn(valueAt('inputs')),
    rejected: [...disabled, ...rejectedAt.flatMap((path) => texts(valueAt(...path)))],
  };
}

/** A server by its entry alone. */
export function clientServer([name, entry]: readonly [string, JsonValue]): ClientServer {
  const isDisabled =
    ownProperty(entry, 'disabled') === true || ownProperty(entry, 'enabled') === false;
  return { name, entry, isDisabled };
}

/** The names of servers that the settings of Gemini CLI switch off outside the entries. */
function disabledInSettings(rules: unknown, servers: unknown): string[] {
  const listed = (key: string): string[] => texts(ownProperty(rules, key)).map(sameInGemini);
  const [allowed, excluded] = [listed('allowed'), listed('excluded')];
  // An empty list allows all.
  return Object.keys(ownProperties(servers)).filter((name) => {
    const same = sameInGemini(name);
    return excluded.includes(same) || (allowed.length > 0 && !allowed.includes(same));
  });
}

/** The form in which Gemini CLI compares names of servers: it ignores case. */
export function sameInGemini(name: string): string {
  return name.toLowerCase().trim();
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

function inputsIn(value: unknown): ClientInput[] {
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
