import { existsSync } from 'node:fs';
import {
  onlyRestricts,
  restrictingPart,
  type ToolfoldSettings,
  tightened,
} from '@toolfold/config/internal/settings';
import { checkKnown, type KnownOptions } from '@toolfold/core/internal/values';
import {
  type ClientPlace,
  type ClientServer,
  type ConfigPlace,
  configPlaces,
  type FindConfigsOptions,
  realPath,
} from '../clients/index.ts';
import type { ToolfoldConfig } from './config.ts';
import { type DeclaredConfig, declaredFound, filledConfig } from './read-config.ts';

const FIND_CONFIGS_OPTIONS: KnownOptions<FindConfigsOptions> = {
  ...{ cwd: true, home: true, platform: true, env: true, file: true },
};

/**
 * The places where MCP clients keep their configuration, in order of precedence: Toolfold's own file,
 * then the files of the project, then those of the user. Sources: the clients' documentation as of
 * late 2026.
 */
export async function findConfigs(options: FindConfigsOptions): Promise<ConfigPlace[]> {
  checkKnown('findConfigs()', options, FIND_CONFIGS_OPTIONS);
  return configPlaces(options).map(({ client, scope, file }) => ({
    ...{ client, scope, file },
    exists: existsSync(file),
  }));
}

/** Something in a file of the project that takes effect only if the user has said yes to it. */
export interface ProjectEntry {
  readonly file: string;
  /** Changes with anything in the entry, before variables are filled in. */
  readonly hash: string;
  /** A server. Undefined: the `toolfold` block. */
  readonly server?: Pick<ClientServer, 'name' | 'entry' | 'refusal'>;
  readonly settings?: ToolfoldSettings;
}

export interface LoadFoundOptions extends FindConfigsOptions {
  /**
   * The hashes of those entries of the project's files that are trusted. By default none: nobody has named these
   * files.
   */
  readonly trusted?: (entries: readonly ProjectEntry[]) => Promise<ReadonlySet<string>>;
}

/** The result of `loadFoundConfigs`: the servers of one file, and the settings of the same or another file. */
export interface FoundConfig {
  readonly places: readonly ConfigPlace[];
  /** `undefined` if no file has servers. */
  readonly config: ToolfoldConfig | undefined;
  /** Those of the file in `settingsFile`. If it is not trusted: what in them restricts, and the user's own. */
  readonly settings: ToolfoldSettings | undefined;
  /** The file of the `toolfold` block, if there is one. */
  readonly settingsFile: string | undefined;
  /** Entries that have no effect, because they are not trusted. */
  readonly untrusted: readonly ProjectEntry[];
}

/**
 * Reads the files in order up to the first one that has servers, and uses the first `toolfold` block
 * found in them. What a file of the project says takes effect only where it is trusted: of the other servers nothing
 * is filled in. Throws `invalid-config` if one of these files is malformed.
 */
export async function loadFoundConfigs(options: LoadFoundOptions): Promise<FoundConfig> {
  checkKnown('loadFoundConfigs()', options, { ...FIND_CONFIGS_OPTIONS, trusted: true });
  const { cwd, home, env, trusted: ask = async () => new Set<string>() } = options;
  const all = configPlaces(options);
  const isOfUser = ofUser(all);
  const places = all.map((place) => ({ place, exists: existsSync(place.file) }));
  const optionsOf = ({ scope }: ClientPlace) => ({
    ...{ env, home, root: cwd },
    // A user's file belongs to no project, so its workspace is the current folder.
    ...(scope === 'user' ? { workspaceFolder: cwd } : {}),
  });
  const read: DeclaredConfig[] = [];
  for (const { place } of places.filter(({ exists }) => exists)) {
    const declared = await declaredFound(place, options);
    if (declared === undefined) continue;
    read.push(declared);
    if (declared.servers.length > 0) break;
  }
  const chosen = read.find(({ servers }) => servers.length > 0);
  const withBlock = read.find(({ block }) => block !== undefined);
  const parts = [...new Set([chosen, withBlock])].filter((one) => one !== undefined);
  const asked = parts
    .filter(({ place }) => !isOfUser(place))
    .flatMap((part) => entriesOf(part, { servers: part === chosen, block: part === withBlock }));
  const trusted = asked.length === 0 ? new Set<string>() : await ask(asked);
  const isFree = (hash: string): boolean =>
    trusted.has(hash) || !asked.some((entry) => entry.hash === hash);
  let settings = withBlock?.block?.settings;
  if (settings && withBlock?.block && !isFree(withBlock.block.hash))
    settings = tightened((await userSettings()) ?? {}, restrictingPart(settings));
  const config =
    chosen && filledConfig(chosen, optionsOf(chosen.place), ({ hash }) => isFree(hash));
  // Those of the chosen file are its own.
  const unread = read.filter((one) => one !== chosen).flatMap((one) => one.unread);
  return {
    places: places.map(({ place: { client, scope, file }, exists }) => ({
      ...{ client, scope, file, exists },
    })),
    config: config && { ...config, settings, remarks: [...unread, ...(config.remarks ?? [])] },
    settings,
    settingsFile: withBlock?.place.file,
    untrusted: asked.filter(({ hash }) => !trusted.has(hash)),
  };

  /** The user's own block, which a block of the project that is not trusted does not replace. */
  async function userSettings(): Promise<ToolfoldSettings | undefined> {
    for (const { place } of places.filter(({ place, exists }) => exists && isOfUser(place))) {
      const { block } = (await declaredFound(place, options)) ?? {};
      if (block) return block.settings;
    }
    return;
  }
}

/** Whether a file is one in which the user keeps servers, by whatever path it was found. */
function ofUser(places: readonly ClientPlace[]): (place: ClientPlace) => boolean {
  const own = new Set(
    places.filter(({ scope }) => scope === 'user').map(({ file }) => realPath(file)),
  );
  return ({ scope, file }) => scope === 'user' || own.has(realPath(file));
}

/** The entries of a file that need a yes. A block that only restricts needs none. */
export function entriesOf(
  { place, servers, block }: DeclaredConfig,
  wanted: { readonly servers: boolean; readonly block: boolean },
): ProjectEntry[] {
  const { file } = place;
  const used = wanted.servers ? servers.filter(({ isDisabled }) => !isDisabled) : [];
  const needsYes = wanted.block && block && !onlyRestricts(block.settings);
  return [
    ...used.map((server) => ({ file, hash: server.hash, server })),
    ...(needsYes ? [{ file, hash: block.hash, settings: block.settings }] : []),
  ];
}
