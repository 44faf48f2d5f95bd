import { existsSync } from 'node:fs';
import { type ConfigPlace, configPlaces, type FindConfigsOptions } from '../clients/index.ts';
import type { ToolfoldConfig } from './config.ts';
import { readConfig } from './read-config.ts';

/**
 * The places where MCP clients keep their configuration, in order of precedence: Toolfold's own file,
 * then the files of the project, then those of the user. Sources: the clients' documentation as of
 * late 2026.
 */
export async function findConfigs(options: FindConfigsOptions): Promise<ConfigPlace[]> {
  return configPlaces(options).map((place) => ({ ...place, exists: existsSync(place.file) }));
}

/** The result of `loadFoundConfigs`: the servers of one file, and the settings of the same or another file. */
export interface FoundConfig {
  readonly places: readonly ConfigPlace[];
  /** `undefined` if no file has servers. */
  readonly config: ToolfoldConfig | undefined;
  /** The file of the `toolfold` block, if there is one. */
  readonly settingsFile: string | undefined;
}

/**
 * Reads the files in order up to the first one that has servers, and uses the first `toolfold` block
 * found in them. Throws `invalid-config` if one of these files is malformed.
 */
export async function loadFoundConfigs(options: FindConfigsOptions): Promise<FoundConfig> {
  const found = await findConfigs(options);
  let settingsFrom: ToolfoldConfig | undefined;
  for (const place of found) {
    if (!place.exists) continue;
    const config = await readConfig(place.file, {
      env: options.env,
      root: options.cwd,
      // A user's file belongs to no project, so its workspace is the current folder.
      ...(place.scope === 'user' ? { workspaceFolder: options.cwd } : {}),
    });
    if (config.settings !== undefined) settingsFrom ??= config;
    if (config.servers.size === 0) continue;
    return {
      places: found,
      config: { ...config, settings: settingsFrom?.settings },
      settingsFile: settingsFrom?.file,
    };
  }
  return { places: found, config: undefined, settingsFile: settingsFrom?.file };
}
