import { aKind, type JsonSource, type Node } from '@toolfold/config/internal/json-source.ts';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { hashText } from '@toolfold/core/internal/tool';
import {
  canonicalJson,
  isRecord,
  type JsonObject,
  type JsonValue,
  ownProperty,
} from '@toolfold/core/internal/values';
import { claudeProject, claudeRestrictions, companionRestrictions } from './companions.ts';
import { clientSource, foreignReason, rootMembers, translated } from './dialects.ts';
import { mayRestrictServers, ruleOf } from './key-table.ts';
import { type ClientPlace, clientPlaces, type FindConfigsOptions, readFound } from './places.ts';
import {
  ALL_TOOLS,
  bareNames,
  bothLists,
  type Restriction,
  restrictionsIn,
  type ToolLists,
  unreadBeside,
} from './restrictions.ts';

/** A server as a client's file describes it, with nothing filled in. */
export interface ClientServer {
  readonly name: string;
  /** Its entry in Toolfold's own keys. */
  readonly entry: JsonValue;
  readonly isDisabled: boolean;
  /** The tools that are offered. */
  readonly tools: ToolLists;
  /** Why it is not started, although nothing is wrong with its entry. */
  readonly refusal?: string;
  /** The keys of its entry that have no effect. */
  readonly unused: readonly string[];
  /** A hash of all that its file says about how it starts, before anything is filled in. */
  readonly hash: string;
}

/** A value that VS Code asks for. */
export interface ClientInput {
  readonly id: string;
  /** A value to start with. Never that of a password. */
  readonly default: string | undefined;
}

/** What a client's file says about servers. */
interface ClientServers {
  readonly servers: readonly ClientServer[];
  readonly inputs: readonly ClientInput[];
  /** A line for each key beside the servers that looks like a restriction and has no effect. */
  readonly unread: readonly string[];
}

type SourceMembers = ReturnType<JsonSource['members']>;

/**
 * The servers of a client's file in the order of the file. `cwd` is the folder of the project, for clients that keep
 * the servers of projects in the user's file. `restrictions`: those of the client's other files. Throws
 * `invalid-config` with the position of a mistake.
 */
export function serversIn(
  source: JsonSource,
  place: ClientPlace,
  cwd: string,
  restrictions: readonly Restriction[],
): ClientServers {
  const members = rootMembers(source);
  const inputs = readInputs(source, members.get('inputs')?.value);
  const list = listOf(source, members, place);
  const isClaudeUser = place.id === 'claude-code' && members.has('projects');
  const root = list || isClaudeUser ? source.value(source.root) : {};
  const found = new Map<string, JsonValue>();
  // A server of the project takes precedence over one of the user, as in Claude Code.
  const own = isClaudeUser ? ownProperty(claudeProject(root, cwd), 'mcpServers') : undefined;
  for (const [name, entry] of Object.entries(isRecord(own) ? own : {}))
    found.set(name, entry as JsonValue);
  for (const [name, { value }] of list ? membersOf(source, list) : [])
    if (!found.has(name)) found.set(name, source.value(value));
  const all = [
    ...restrictions,
    ...besideEntries(found),
    ...(isClaudeUser
      ? claudeRestrictions(root, cwd, place.file)
      : restrictionsIn(place.id, root, place.file)),
  ];
  const isOfProject = place.scope === 'project';
  const servers = [...found].map(([name, given]) => {
    const server = clientServer(name, given, { place, inputs });
    const facts = {
      name,
      entry: isRecord(given) ? ({ ...given, ...(server.entry as object) } as JsonObject) : given,
      isOfProject,
    };
    return all.map((restrict) => restrict(facts)).reduce(restricted, server);
  });
  const unread = unreadBeside(place, source.value(source.root), [...found.keys()]);
  return { servers, inputs, unread };
}

/** A text, list or flag among the entries is no server, and its name may say that it restricts the others. */
function besideEntries(found: ReadonlyMap<string, JsonValue>): Restriction[] {
  const restricting = [...found].filter(
    ([key, value]) => !isRecord(value) && mayRestrictServers(key, value),
  );
  return restricting.map(([key]) => () => ({
    refusal: `${JSON.stringify(key.slice(0, 60))} beside it may restrict it in a way that Toolfold cannot keep`,
  }));
}

function restricted(server: ClientServer, limits: ReturnType<Restriction>): ClientServer {
  const { isDisabled = false, without = [], refusal } = limits;
  return {
    ...server,
    isDisabled: server.isDisabled || isDisabled,
    tools: without.length === 0 ? server.tools : bothLists(server.tools, { without }),
    ...(server.refusal === undefined && refusal !== undefined ? { refusal } : {}),
  };
}

/** A server by its entry alone. */
function clientServer(
  name: string,
  given: JsonValue,
  { place, inputs }: { readonly place: ClientPlace; readonly inputs: readonly ClientInput[] },
): ClientServer {
  const used = inputs.filter(({ id }) => canonicalJson(given).includes(`\${input:${id}}`));
  const hash = hashText(canonicalJson({ client: place.id, name, given, inputs: used }), 40);
  const none = { name, isDisabled: false, tools: ALL_TOOLS, unused: [], hash };
  if (!isRecord(given)) return { ...none, entry: given };
  const entry: Record<string, JsonValue> = {};
  let tools = ALL_TOOLS;
  let refusal = foreignReason(given as JsonObject);
  const refuse = (reason: string): void => {
    refusal ??= reason;
  };
  const unused: string[] = [];
  const own = translated(place.id, given as JsonObject);
  for (const [key, value] of Object.entries(own)) {
    const rule = ruleOf(place.id, key, value);
    const shown = JSON.stringify(key.slice(0, 60));
    if (rule.does === 'read') {
      if (rule.as === key || !Object.hasOwn(own, rule.as)) entry[rule.as] ??= value;
    } else if (rule.does === 'only' || rule.does === 'without') {
      const list = textsOf(value);
      if (list === undefined) refuse(`its ${shown} is no list of tools`);
      else
        tools = bothLists(
          tools,
          rule.does === 'only'
            ? { only: list, without: [] }
            : { without: list.flatMap((tool) => bareNames(tool, name)) },
        );
    } else if (rule.does === 'switch') {
      if (typeof value !== 'boolean')
        refuse(`${shown} should be true or false but is ${kindOf(value)}`);
    } else if (rule.does === 'restricts') refuse(`its ${shown} ${rule.why}`);
    else if (rule.does === 'comfort') unused.push(key);
  }
  const isDisabled = own.disabled === true || own.enabled === false;
  return {
    ...none,
    entry,
    isDisabled,
    tools,
    unused,
    ...(refusal === undefined ? {} : { refusal }),
  };
}

function textsOf(value: JsonValue): readonly string[] | undefined {
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'string');
  return isList ? (value as string[]) : undefined;
}

function kindOf(value: JsonValue): string {
  return value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

/** The node with the servers of a file. */
function listOf(
  source: JsonSource,
  members: SourceMembers,
  { format, id }: ClientPlace,
): Node | undefined {
  if (format === 'opencode') return members.get('mcp')?.value;
  if (format === 'zed') return members.get('context_servers')?.value;
  const list = serverList(source, members);
  return list ?? (id === 'mcp' ? members.get('context_servers')?.value : undefined);
}

/** The list of servers among the members of a file. Throws if there are two. */
function serverList(source: JsonSource, members: SourceMembers): Node | undefined {
  const [servers, other] = [members.get('mcpServers'), members.get('servers')];
  if (servers === undefined || other === undefined) return (servers ?? other)?.value;
  const message = 'The file has both "mcpServers" and "servers".';
  throw source.error(other.key, message, 'Put all servers under one of the two.');
}

function membersOf(source: JsonSource, node: Node): SourceMembers {
  if (node.type === 'object') return source.members(node);
  const message = `The servers are ${aKind(node.type)}.`;
  throw source.error(node, message, 'Expected an object with an entry per server.');
}

function readInputs(source: JsonSource, node: Node | undefined): ClientInput[] {
  if (node === undefined) return [];
  if (node.type !== 'array')
    throw source.error(node, `"inputs" is ${aKind(node.type)}.`, 'Expected a list.');
  return (node.children ?? []).map((child) => {
    const input = source.value(child);
    const id = ownProperty(input, 'id');
    const start = ownProperty(input, 'default');
    if (typeof id !== 'string')
      throw source.error(child, 'An input has no "id".', 'Expected "id" to be a string.');
    const isShown = typeof start === 'string' && ownProperty(input, 'password') !== true;
    return { id, default: isShown ? start : undefined };
  });
}

/** A client's file. `unreadable`: something is wrong with it. */
export type ClientFile = ClientPlace &
  (
    | ({ readonly state: 'read' } & ClientServers)
    | { readonly state: 'absent' }
    | { readonly state: 'unreadable'; readonly reason: string }
  );

interface ReadClientsOptions extends FindConfigsOptions {
  /** Default: all. */
  readonly clients?: readonly string[];
}

/** The ids of all known clients, in the order of their places. */
export function clientIds(): string[] {
  const nowhere: FindConfigsOptions = { cwd: '/', home: '/', platform: 'linux', env: {} };
  return [...new Set(clientPlaces(nowhere).map(({ id }) => id))];
}

/** Reads the files of the known clients. A file that cannot be read does not affect the others. */
export async function readClients(options: ReadClientsOptions): Promise<ClientFile[]> {
  const { clients } = options;
  const places = clientPlaces(options).filter(
    ({ id }) => clients === undefined || clients.includes(id),
  );
  return Promise.all(places.map((place) => readClient(place, options)));
}

/** Reads one client's file, and what the client's other files restrict. Never throws. */
export async function readClient(
  place: ClientPlace,
  where: FindConfigsOptions,
): Promise<ClientFile> {
  const read = await readFound(place, where);
  if (read.state !== 'read') return { ...place, ...read };
  // Some clients create an empty file.
  if (read.text.replace(/^\uFEFF/, '').trim() === '')
    return { ...place, state: 'read', servers: [], inputs: [], unread: [] };
  try {
    const source = await clientSource(place, read.text);
    const restrictions = await companionRestrictions(place, where);
    return { ...place, state: 'read', ...serversIn(source, place, where.cwd, restrictions) };
  } catch (error) {
    return { ...place, state: 'unreadable', reason: errorMessage(error) };
  }
}
