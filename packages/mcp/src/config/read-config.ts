import { homedir } from 'node:os';
import { readNamed } from '@toolfold/config/internal/files';
import { JsonSource } from '@toolfold/config/internal/json-source.ts';
import { readSettings, type ToolfoldSettings } from '@toolfold/config/internal/settings';
import { errorMessage, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { hashText } from '@toolfold/core/internal/tool';
import {
  canonicalJson,
  checkKnown,
  type KnownOptions,
  plainLine,
} from '@toolfold/core/internal/values';
import {
  type ClientInput,
  type ClientPlace,
  type ClientServer,
  clientSource,
  companionRestrictions,
  type FindConfigsOptions,
  placeOf,
  readFound,
  serversIn,
  workspaceOf,
} from '../clients/index.ts';
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
  /** The home folder, in which clients keep what they restrict. By default that of the user. */
  readonly home?: string;
}

const READ_CONFIG_OPTIONS: KnownOptions<ReadConfigOptions> = {
  ...{ env: true, workspaceFolder: true, root: true, home: true },
};

/** What a configuration file says, with nothing filled in. */
export interface DeclaredConfig {
  readonly place: ClientPlace;
  readonly servers: readonly ClientServer[];
  readonly inputs: readonly ClientInput[];
  /** `undefined` if the file has no `toolfold` block. */
  readonly block: { readonly settings: ToolfoldSettings; readonly hash: string } | undefined;
  /** A line for each key that looks like a restriction and has no effect. */
  readonly unread: readonly string[];
}

/**
 * Reads an MCP client's configuration file, in the form of any client that `toolfold init` knows, and the
 * `toolfold` block. What the client's own files restrict holds here too. Throws `invalid-config` with file,
 * line and column. A mistake in one server's entry makes only that server fail.
 */
export async function readConfig(
  file: string,
  options: ReadConfigOptions,
): Promise<ToolfoldConfig> {
  checkKnown('readConfig()', options, READ_CONFIG_OPTIONS);
  return filledConfig(await declaredIn(placeOf(file), options), options);
}

/** Like `readConfig`, for text in JSON that is already read. `file` is used only in messages; no other file is read. */
export function parseConfig(
  file: string,
  text: string,
  options: ReadConfigOptions,
): ToolfoldConfig {
  checkKnown('parseConfig()', options, READ_CONFIG_OPTIONS);
  const { root = process.cwd() } = options;
  return filledConfig(declared(new JsonSource(file, text), placeOf(file), root, []), options);
}

/** The `toolfold` block in a text, if there is one, and its hash. */
export function blockIn(file: string, text: string): DeclaredConfig['block'] {
  return declared(new JsonSource(file, text), placeOf(file), '/', []).block;
}

/** Reads a file that is named, of any kind, without filling anything in. Throws as `readConfig` does. */
async function declaredIn(place: ClientPlace, options: ReadConfigOptions): Promise<DeclaredConfig> {
  const { file } = place;
  const text = await readNamed(file).catch((error: unknown) => {
    const message = `${file} cannot be read: ${errorMessage(error)}.`;
    throw new ToolfoldError('invalid-config', message, 'Check the path.', error);
  });
  return declaredAs(place, text, options);
}

/** Reads a file that nobody has named. Undefined if there is none. Throws as `readConfig` does. */
export async function declaredFound(
  place: ClientPlace,
  options: FindConfigsOptions,
): Promise<DeclaredConfig | undefined> {
  const read = await readFound(place, options);
  if (read.state === 'absent') return;
  if (read.state === 'read') return declaredAs(place, read.text, { ...options, root: options.cwd });
  const message = `${place.file} cannot be read: ${read.reason}.`;
  const hint = 'If you know what it holds, name it: --config FILE. Or remove it.';
  throw new ToolfoldError('invalid-config', message, hint);
}

async function declaredAs(
  place: ClientPlace,
  text: string,
  { env, root = process.cwd(), home = homedir() }: ReadConfigOptions,
): Promise<DeclaredConfig> {
  const source = await clientSource(place, text);
  const cwd = place.scope === 'project' ? workspaceOf(place.file) : root;
  const where = { cwd, home, platform: process.platform, env };
  return declared(source, place, cwd, await companionRestrictions(place, where));
}

/** As `declaredIn`, for a text in JSON. `restrictions`: those of the client's other files. */
export function declared(
  source: JsonSource,
  place: ClientPlace,
  cwd: string,
  restrictions: Parameters<typeof serversIn>[3],
): DeclaredConfig {
  const { servers, inputs, unread } = serversIn(source, place, cwd, restrictions);
  const node = source.members(source.root).get('toolfold')?.value;
  const block = node && {
    settings: readSettings(source, node),
    hash: hashText(canonicalJson({ toolfold: source.value(node) }), 40),
  };
  return { place, servers, inputs, block, unread };
}

/**
 * The configuration with all variables filled in. `isTrusted`: servers for which it says no are left out, and
 * nothing of them is filled in. By default all are used.
 */
export function filledConfig(
  { place, servers: all, inputs, block, unread }: DeclaredConfig,
  options: ReadConfigOptions,
  isTrusted: (server: ClientServer) => boolean = () => true,
): ToolfoldConfig {
  const { file } = place;
  const scope: VariableScope = {
    env: options.env,
    workspaceFolder: options.workspaceFolder ?? workspaceOf(file),
    root: options.root ?? process.cwd(),
    home: options.home ?? homedir(),
    inputs: new Map(inputs.map((input) => [input.id, input.default])),
  };
  const used = all.filter(({ isDisabled }) => !isDisabled);
  const trusted = used.filter(isTrusted);
  return {
    file,
    servers: new Map(trusted.map((server) => [server.name, entryOf(server, scope)])),
    disabled: all.filter(({ isDisabled }) => isDisabled).map(({ name }) => name),
    untrusted: used.filter((server) => !trusted.includes(server)).map(({ name }) => name),
    remarks: [...unread, ...remarksOn(trusted)],
    settings: block?.settings,
  };
}

function entryOf({ name, entry, tools, refusal }: ClientServer, scope: VariableScope): ServerEntry {
  if (name.trim() === '') return NAMELESS;
  if (refusal === undefined) return readServerEntry(entry, scope, tools);
  const remedy =
    'Say it in words of Toolfold: "disabled", "enabledTools" and "disabledTools" of its entry, or "exposure" under "toolfold". Or remove it if the server may start all the same.';
  return { kind: 'unusable', reason: refusal, remedy };
}

/** A line for each key that has no effect, with the servers that have it. */
function remarksOn(servers: readonly ClientServer[]): string[] {
  const uses = servers.flatMap(({ name, unused }) => unused.map((key) => ({ key, name })));
  return [...Map.groupBy(uses, ({ key }) => key)].map(([key, users]) => {
    const names = users.slice(0, 5).map(({ name }) => plainLine(name, 60));
    const more = users.length > names.length ? ` and ${users.length - names.length} more` : '';
    return `"${plainLine(key, 60)}" has no effect here: ${names.join(', ')}${more}`;
  });
}
