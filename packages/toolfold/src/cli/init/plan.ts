import {
  ALL_TOOLS,
  type ClientFile,
  type ClientServer,
  exposureFor,
  type FindConfigsOptions,
  readClients,
  type ToolLists,
  workspaceOf,
} from '@toolfold/mcp/internal/mcp/clients';
import { isSecretValue } from '@toolfold/mcp/internal/mcp/secrets';
import { realPath } from '../../app/files/index.ts';
import type { ClientScope } from './client-variables.ts';
import { type PortableEntry, textsOf } from './entry.ts';
import { withoutKnownValues, withoutSecrets } from './hide-secrets.ts';
import { type Candidate, equalServers, type MergedServer, mergeServers } from './merge.ts';
import { portable } from './portable-entry.ts';
import { readTarget, type TargetFile } from './target-file.ts';
import { requiredVariables, VariableNames } from './variable-names.ts';

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
  readonly left: readonly (Pick<Candidate, 'name' | 'file'> & { readonly reason: string })[];
  /** Servers of other names that are equal: the name, and the name of the earlier one. */
  readonly equal: readonly (readonly [name: string, earlier: string])[];
  readonly variables: readonly NeededVariable[];
  /** What the user should know about a server. */
  readonly notes: readonly { readonly server: string; readonly text: string }[];
}

/** What a plan is made from. */
export interface PlanOptions extends FindConfigsOptions {
  readonly file: string;
  /** The ids of the clients to read. Without them, all are read. */
  readonly clients?: readonly string[] | undefined;
}

/**
 * Reads the files of the clients and plans the merged file. Nothing is written. Throws
 * `invalid-config` if the file to write exists and cannot be used.
 */
export async function planInit(options: PlanOptions): Promise<InitPlan> {
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
  const scope = { workspace, isSameWorkspace, platform, inputs: [] };
  const taken = (
    servers: readonly ClientServer[],
    { id, file }: Pick<ClientFile, 'id' | 'file'>,
    own: ClientScope,
  ): Candidate[] =>
    servers.flatMap((server) => {
      const ported = portable(server, own);
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
  const there = taken(target.servers, { id: 'toolfold', file: target.file }, scope);
  const candidates = files.flatMap((file) => {
    if (file.state !== 'read') return [];
    return taken(file.servers, file, { ...scope, inputs: file.inputs });
  });
  const clean = (candidate: Candidate): Candidate => {
    const entry = withoutKnownValues(candidate.entry, names);
    return { ...candidate, entry, notes: [...candidate.notes, ...copiedNotes(entry)] };
  };
  const servers = mergeServers(there.map(clean), candidates.map(clean));
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
  candidates: readonly Candidate[],
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
