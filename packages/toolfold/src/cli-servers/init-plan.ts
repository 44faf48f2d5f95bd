// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of configuration files

import { posix, win32 } from 'node:path';
import { quote } from '@toolfold/config/internal/quote.ts';
import {
  isRecord,
  type JsonValue,
  mapTexts,
  ownProperties,
  pick,
} from '@toolfold/core/internal/values';
import {
  ALL_TOOLS,
  type ClientFile,
  type ClientInput,
  type ClientServer,
  exposureFor,
  type FindConfigsOptions,
  readClients,
  type ToolLists,
  workspaceOf,
} from '@toolfold/mcp/internal/clients';
import { parseConfig } from '@toolfold/mcp/internal/config';
import { isSecretValue } from '@toolfold/mcp/internal/redact.ts';
import { isSecretDefault, VARIABLE } from '../servers/index.ts';
import { realPath } from '../terminal/index.ts';
import {
  requiredVariables,
  VariableNames,
  variableName,
  withoutKnownValues,
  withoutSecrets,
} from './hide-secrets.ts';
import {
  equalServers,
  type MergeCandidate,
  type MergedServer,
  mapEntry,
  mergeServers,
  type PortableEntry,
  readTarget,
  type TargetFile,
  textsOf,
} from './merge.ts';

/** A variable that servers to be added need. */
export interface NeededVariable {
  readonly name: string;
  readonly isSet: boolean;
  readonly servers: readonly string[];
  /** The files in which its value stands as a plain text. Empty if no file has it. */
  readonly files: readonly string[];
}

/** What is in the files of the clients, and what the merged file would be. */
export interface InitPlan {
  readonly target: TargetFile;
  /** The files that exist, without the one that is written. */
  readonly files: readonly ClientFile[];
  readonly searched: readonly ClientFile[];
  readonly servers: readonly MergedServer[];
  /** Those of the servers that are not in the file yet. */
  readonly added: readonly MergedServer[];
  /** The rules of `exposure` for the servers to be added. */
  readonly exposure: readonly (readonly [glob: string, exposure: string])[];
  /** Servers that cannot be taken over. */
  readonly left: readonly (Pick<MergeCandidate, 'name' | 'file'> & { readonly reason: string })[];
  /** Servers of other names that are equal: the name, and the name of the earlier one. */
  readonly equal: readonly (readonly [name: string, earlier: string])[];
  readonly variables: readonly NeededVariable[];
  /** What the user should know about a server. */
  readonly notes: readonly { readonly server: string; readonly text: string }[];
}

/** What a plan is made from. */
interface InitPlanOptions extends FindConfigsOptions {
  readonly file: string;
  /** The ids of the clients to read. Without them, all are read. */
  readonly clients?: readonly string[] | undefined;
}

/**
 * Reads the files of the clients and plans the merged file. Nothing is written. Throws
 * `invalid-config` if the file to write exists and cannot be used.
 */
export async function planInit(options: InitPlanOptions): Promise<InitPlan> {
  const target = await readTarget(options.file, options);
  const searched = await readClients(options);
  // In the home folder, the project's file of a client is also the user's.
  const seen = new Set([target.path]);
  const files = searched.filter(({ file, state }) => {
    const path = realPath(file);
    if (state === 'absent' || seen.has(path)) return false;
    seen.add(path);
    return true;
  });
  const names = new VariableNames(options.env);
  const left: InitPlan['left'][number][] = [];
  const workspace = realPath(options.cwd);
  const isSameWorkspace = realPath(workspaceOf(target.file)) === workspace;
  const { platform } = options;
  const scope = { workspace, isSameWorkspace, platform };
  const sources = [...files, target].flatMap((file) => ('servers' in file ? file.servers : []));
  for (const { entry } of sources) names.reserve(entry);
  const taken = (
    servers: readonly ClientServer[],
    { id, file }: Pick<ClientFile, 'id' | 'file'>,
    inputs?: readonly ClientInput[],
  ): MergeCandidate[] =>
    servers.flatMap((server) => {
      // Each file asks for its own inputs.
      const inputName = (input: string): string =>
        inputs ? names.nameFor(`\0${file}\0${input}`, input, server.name) : variableName(input);
      const ported = portable(server, { ...scope, inputs: inputs ?? [], inputName });
      const { name, isDisabled } = server;
      const about = { name, client: id, file, isDisabled };
      if ('reason' in ported) {
        // A server of the file that is written stays there as it is.
        if (file === target.file)
          return { ...about, entry: {}, tools: ALL_TOOLS, notes: [], secrets: [] };
        left.push({ name, file, reason: ported.reason });
        return [];
      }
      // Values of other entries are not hidden in it yet.
      const entry = withoutSecrets(ported.entry, name, names);
      const before = new Set(variablesOf(ported.entry));
      const secrets = variablesOf(entry).filter((variable) => !before.has(variable));
      return { ...about, ...ported, entry, secrets };
    });
  const there = taken(target.servers, { id: 'toolfold', file: target.file });
  const candidates = files.flatMap((file) =>
    file.state === 'read' ? taken(file.servers, file, file.inputs) : [],
  );
  const clean = (candidate: MergeCandidate): MergeCandidate => {
    const entry = withoutKnownValues(candidate.entry, names);
    return { ...candidate, entry, notes: [...candidate.notes, ...copiedNotes(entry)] };
  };
  const servers = mergeServers(there.map(clean), candidates.map(clean), names);
  const added = servers.filter(({ isThere }) => !isThere);
  return {
    ...{ target, files, searched, servers, added, left },
    equal: equalServers(servers),
    variables: neededVariables(added, candidates, options.env),
    exposure: added.flatMap((server) => exposureFor(server.name, listsOf(server))),
    notes: added.flatMap(({ name, from }) => {
      const texts = new Set(from.flatMap(({ notes }) => notes));
      return [...texts].map((text) => ({ server: name, text }));
    }),
  };
}

function listsOf({ from }: MergedServer): ToolLists[] {
  return from.map(({ tools }) => tools);
}

function variablesOf(entry: PortableEntry): string[] {
  return textsOf(entry).flatMap(requiredVariables);
}

/** Names the values that stay as they are, although they are no plain words. */
function copiedNotes({ env = {}, headers = {} }: PortableEntry): string[] {
  const copied = [...Object.entries(env), ...Object.entries(headers)].flatMap(([name, value]) =>
    !value.includes('${') && isSecretValue(name, value) ? [name] : [],
  );
  return copied.length === 0 ? [] : [`copied as it is: ${copied.join(', ')}`];
}

function neededVariables(
  added: readonly MergedServer[],
  candidates: readonly MergeCandidate[],
  env: Readonly<Record<string, string | undefined>>,
): NeededVariable[] {
  const uses = added.flatMap(({ name, entry }) =>
    [...new Set(variablesOf(entry))].map((variable) => ({ variable, server: name })),
  );
  return [...Map.groupBy(uses, ({ variable }) => variable)].map(([name, users]) => {
    const holders = candidates.filter(({ secrets }) => secrets.includes(name));
    return {
      ...{ name, servers: users.map(({ server }) => server) },
      isSet: Object.hasOwn(env, name) && env[name] !== undefined,
      files: [...new Set(holders.map(({ file }) => file))],
    };
  });
}

/** What the variables of a client's file stand for. */
interface ClientScope {
  /** The folder that `${workspaceFolder}` means in the client's file. */
  readonly workspace: string;
  /** Whether it means the same folder in the merged file. */
  readonly isSameWorkspace: boolean;
  readonly platform: NodeJS.Platform;
  readonly inputs: readonly ClientInput[];
  /** The name of the variable for an input. */
  readonly inputName: (id: string) => string;
}

/**
 * The text with the variables that Toolfold reads. `${VAR}` stays. Calls `note` with what changes its
 * meaning, or has none.
 */
function withOwnVariables(text: string, scope: ClientScope, note: (text: string) => void): string {
  const { sep, basename } = scope.platform === 'win32' ? win32 : posix;
  return text.replace(/\$\{([^{}]*)\}/g, (whole, inner: string) => {
    if (inner === 'workspaceFolder' || inner === 'workspaceRoot') {
      if (scope.isSameWorkspace) return '${workspaceFolder}';
      note(`\${${inner}} is now ${scope.workspace}`);
      return scope.workspace;
    }
    if (inner === 'workspaceFolderBasename') return basename(scope.workspace);
    if (inner === 'userHome') return scope.platform === 'win32' ? '${USERPROFILE}' : '${HOME}';
    if (inner === 'pathSeparator' || inner === '/') return sep;
    if (inner.startsWith('input:')) return ofInput(inner.slice('input:'.length), scope);
    if (/^(?:env:)?[A-Za-z_][\w.()-]*(?::-.*)?$/s.test(inner)) return whole;
    note(`Toolfold does not know the variable ${quote(inner.replace(/:-.*$/s, ''))}`);
    return whole;
  });
}

function ofInput(id: string, { inputs, inputName }: ClientScope): string {
  const name = inputName(id);
  const start = inputs.find((input) => input.id === id)?.default;
  const isKept = start !== undefined && start !== '' && !/[{}]/.test(start);
  if (!isKept || isSecretDefault([id], start)) return `\${${name}}`;
  return `\${${name}:-${start}}`;
}

/** An entry that can stand in the merged file, with what is different there; or why there is none. */
type Ported = Pick<MergeCandidate, 'entry' | 'tools' | 'notes'> | { readonly reason: string };

const KNOWN = [
  ...['type', 'command', 'args', 'env', 'envFile', 'cwd', 'url', 'headers'],
  ...['passEnv', 'startSeconds', 'callSeconds', 'maxCallSeconds'],
];

/** Reads an entry of a client. Never throws, and never shows a value. */
function portable(server: ClientServer, scope: ClientScope): Ported {
  const { entry, tools } = server;
  const problem = server.refusal ?? problemOf(server.name, entry, scope);
  if (problem !== undefined) return { reason: problem };
  const notes = new Set<string>();
  const plain = mapEntry(knownKeys(entry), (text) =>
    withOwnVariables(text, scope, (note) => notes.add(note)),
  );
  const others = Object.keys(ownProperties(entry)).filter((key) => !KNOWN.includes(key));
  for (const key of [...others, ...server.unused])
    notes.add(`its ${quote(key)} is left out: it is a setting of the client`);
  return { entry: plain, tools, notes: [...notes] };
}

/** The entry without the keys of clients. `problemOf` has checked the types. */
function knownKeys(entry: JsonValue): PortableEntry {
  const { type, url, ...own } = pick(ownProperties(entry), ...KNOWN);
  const { command, args, env, envFile, cwd, passEnv, headers, ...times } = own;
  const isSse = type === 'sse';
  const all =
    command === undefined || type === 'http' || isSse
      ? { ...(isSse && { type }), url, headers, ...times }
      : { command, args, env, envFile, cwd, passEnv, ...times };
  const isEmpty = (value: unknown): boolean =>
    value === undefined || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
  return Object.fromEntries(Object.entries(all).filter(([, value]) => !isEmpty(value)));
}

/** Why Toolfold could not use the entry, apart from variables that are not set. */
function problemOf(name: string, entry: JsonValue, scope: ClientScope): string | undefined {
  // The file of variables may be elsewhere.
  const checkedKeys = KNOWN.filter((key) => key !== 'envFile');
  const read = isRecord(entry) ? pick(ownProperties(entry), ...checkedKeys) : entry;
  // A whole address, or a part of one: a user, a host, a port.
  const [whole, part] = ['http://localhost', '1'].map((value) => {
    const filled = mapTexts(read, (text) =>
      withOwnVariables(text, scope, () => {}).replace(VARIABLE, value),
    );
    const text = JSON.stringify({ mcpServers: Object.fromEntries([[name, filled]]) });
    const server = parseConfig('', text, { env: {} }).servers.get(name);
    return server?.kind === 'unusable' ? server.reason : undefined;
  });
  return part === undefined ? undefined : whole;
}
