import { type ClientFile, readClients } from '../../mcp/clients/index.ts';
import { type FindConfigsOptions, workspaceOf } from '../../mcp/config/index.ts';
import { isSecretValue } from '../../mcp/secrets/index.ts';
import type { ClientScope } from './client-variables.ts';
import { type PortableEntry, textsOf } from './entry.ts';
import { withoutKnownValues, withoutSecrets } from './hide-secrets.ts';
import { type Candidate, equalServers, type MergedServer, mergeServers } from './merge.ts';
import { portable } from './portable-entry.ts';
import { readTarget, realPath, type TargetFile } from './target-file.ts';
import { exposureFor, toolLists } from './tool-lists.ts';
import { requiredVariables, VariableNames } from './variable-names.ts';

/** A server that cannot be taken over. */
export interface LeftServer {
  readonly name: string;
  readonly file: string;
  readonly reason: string;
}

/** A variable that servers to be added need. */
export interface NeededVariable {
  readonly name: string;
  readonly isSet: boolean;
  readonly servers: readonly string[];
  /** The files in which its value stands as a plain text. Empty if no file has it. */
  readonly files: readonly string[];
}

/** Something about a server that the user should know. */
export interface ServerNote {
  readonly server: string;
  readonly text: string;
}

/** What is in the files of the clients, and what the merged file would be. */
export interface InitPlan {
  readonly target: TargetFile;
  /** The files that exist, without the one that is written. */
  readonly files: readonly ClientFile[];
  /** The places that were searched. */
  readonly searched: readonly ClientFile[];
  readonly servers: readonly MergedServer[];
  /** The rules of `exposure` for the servers to be added. */
  readonly exposure: readonly (readonly [glob: string, exposure: string])[];
  readonly left: readonly LeftServer[];
  /** Servers of other names that are equal: the name, and the name of the earlier one. */
  readonly equal: readonly (readonly [name: string, earlier: string])[];
  readonly variables: readonly NeededVariable[];
  readonly notes: readonly ServerNote[];
}

/** What a plan is made from. */
export interface PlanOptions extends FindConfigsOptions {
  /** The file to write. */
  readonly file: string;
  /** The ids of the clients to read. Without them, all are read. */
  readonly clients?: readonly string[];
}

/**
 * Reads the files of the clients and plans the merged file. Nothing is written. Throws
 * `invalid-config` if the file to write exists and cannot be used.
 */
export async function planInit(options: PlanOptions): Promise<InitPlan> {
  const target = await readTarget(options.file);
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
  const left: LeftServer[] = [];
  const notes = new Map<Candidate, readonly string[]>();
  const scope = scopeOf(options, target);
  const there = target.servers.map((server) =>
    candidateOf(server, { id: 'toolfold', file: target.file }, scope, names),
  );
  const candidates = files.flatMap((file) => {
    if (file.state !== 'read') return [];
    const hasBareVariables = file.id === 'gemini-cli';
    const own = { ...scope, inputs: file.inputs, hasBareVariables };
    return file.servers.flatMap((server) => {
      const made = candidateOf(server, file, own, names);
      if (made.reason === undefined) return [made];
      left.push({ name: server.name, file: file.file, reason: made.reason });
      return [];
    });
  });
  const clean = (made: Made): Candidate => {
    const { name, client, file, isDisabled, entry, tools, remarks } = made;
    const hidden = withoutKnownValues(entry, names);
    const candidate = { name, client, file, isDisabled, tools, entry: hidden };
    notes.set(candidate, [...remarks, ...copiedNotes(hidden)]);
    return candidate;
  };
  const servers = mergeServers(there.map(clean), candidates.map(clean));
  const added = servers.filter(({ isThere }) => !isThere);
  const secretFiles = filesOfSecrets(candidates, names);
  return {
    ...{ target, files, searched, servers, left },
    equal: equalServers(servers),
    variables: neededVariables(added, options.env, secretFiles),
    exposure: added.flatMap(({ name, from }) =>
      exposureFor(
        name,
        from.map(({ tools }) => tools),
      ),
    ),
    notes: added.flatMap(({ name, from }) => {
      const texts = new Set(from.flatMap((candidate) => notes.get(candidate) ?? []));
      return [...texts].map((text) => ({ server: name, text }));
    }),
  };
}

/** A candidate before values of other entries are hidden in it. */
interface Made extends Candidate {
  readonly remarks: readonly string[];
  readonly secrets: readonly string[];
  /** Why it cannot be taken over. */
  readonly reason: string | undefined;
}

function candidateOf(
  server: Parameters<typeof portable>[0],
  { id, file }: { readonly id: string; readonly file: string },
  scope: ClientScope,
  names: VariableNames,
): Made {
  const { name, isDisabled } = server;
  const ported = portable(server, scope);
  const about = { name, client: id, file, isDisabled };
  if ('reason' in ported) {
    const { reason } = ported;
    return { ...about, entry: {}, tools: toolLists({}), remarks: [], secrets: [], reason };
  }
  const entry = withoutSecrets(ported.entry, name, names);
  const before = new Set(textsOf(ported.entry).flatMap(requiredVariables));
  const secrets = textsOf(entry)
    .flatMap(requiredVariables)
    .filter((variable) => !before.has(variable));
  const { tools, notes: remarks } = ported;
  return { ...about, entry, tools, remarks, secrets, reason: undefined };
}

function scopeOf(options: PlanOptions, target: TargetFile): ClientScope {
  const workspace = realPath(options.cwd);
  return {
    workspace,
    isSameWorkspace: realPath(workspaceOf(target.file)) === workspace,
    platform: options.platform,
    inputs: [],
    hasBareVariables: false,
  };
}

/** Names the values that stay as they are, although they are no plain words. */
function copiedNotes({ env = {}, headers = {} }: PortableEntry): string[] {
  const copied = [...Object.entries(env), ...Object.entries(headers)].flatMap(([name, value]) =>
    !value.includes('${') && isSecretValue(name, value) ? [name] : [],
  );
  return copied.length === 0 ? [] : [`copied as it is: ${copied.join(', ')}`];
}

/** The files in which the value of a variable stands. */
function filesOfSecrets(made: readonly Made[], names: VariableNames): Map<string, Set<string>> {
  const known = new Set(names.values().map(([, name]) => name));
  const files = new Map<string, Set<string>>();
  for (const { secrets, file } of made) {
    for (const name of secrets) {
      if (known.has(name)) files.set(name, (files.get(name) ?? new Set()).add(file));
    }
  }
  return files;
}

function neededVariables(
  added: readonly MergedServer[],
  env: Readonly<Record<string, string | undefined>>,
  secretFiles: ReadonlyMap<string, ReadonlySet<string>>,
): NeededVariable[] {
  const users = new Map<string, string[]>();
  for (const { name, entry } of added) {
    for (const variable of new Set(textsOf(entry).flatMap(requiredVariables)))
      users.set(variable, [...(users.get(variable) ?? []), name]);
  }
  return [...users].map(([name, servers]) => ({
    ...{ name, servers },
    isSet: Object.hasOwn(env, name) && env[name] !== undefined,
    files: [...(secretFiles.get(name) ?? [])],
  }));
}
