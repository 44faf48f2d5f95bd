import { homedir } from 'node:os';
import { join } from 'node:path';
import { ToolfoldError } from '../../errors.ts';
import {
  type ConfigPlace,
  type FoundConfig,
  loadFoundConfigs,
  readConfig,
  type ToolfoldConfig,
} from '../../mcp/index.ts';

/** A configuration, and the places that were searched for one: none if a file was given. */
export interface LoadedConfig extends Pick<FoundConfig, 'config' | 'places'> {
  /** The file in which settings are saved, alone or with the servers. It may not exist yet. */
  readonly settingsFile: string;
}

/**
 * Reads the given file, or a file from the usual places of MCP clients for a project in `folder`, and
 * writes with `note` which file is used. Throws `invalid-config` if the file is malformed or absent.
 */
export async function loadConfig(
  file: string | undefined,
  note: (text: string) => void,
  folder: string = process.cwd(),
): Promise<LoadedConfig> {
  const loaded =
    file === undefined
      ? await findConfig(note, folder)
      : {
          config: await readConfig(file, { env: process.env, root: folder }),
          places: [],
          settingsFile: file,
        };
  const disabled = loaded.config?.disabled ?? [];
  if (disabled.length > 0) note(`Disabled in the configuration: ${disabled.join(', ')}`);
  for (const remark of loaded.config?.remarks ?? []) note(remark);
  return loaded;
}

async function findConfig(note: (text: string) => void, folder: string): Promise<LoadedConfig> {
  const { platform, env } = process;
  const found = await loadFoundConfigs({ cwd: folder, home: homedir(), platform, env });
  const { places, config } = found;
  if (config !== undefined) {
    const client = places.find(({ file }) => file === config.file)?.client;
    note(`Servers from ${config.file} (${client})`);
  }
  if (found.settingsFile !== undefined && found.settingsFile !== config?.file)
    note(`Settings from ${found.settingsFile}`);
  const own = places.find(({ client, exists }) => client === 'Toolfold' && exists);
  const settingsFile = found.settingsFile ?? own?.file ?? join(folder, 'toolfold.json');
  if (config !== undefined || found.settingsFile === undefined)
    return { config, places, settingsFile };
  return { config: await readConfig(settingsFile, { env, root: folder }), places, settingsFile };
}

/**
 * Reads the configuration as `loadConfig` does. Throws `invalid-config` if it has no servers at all,
 * disabled ones included. `hint`: what to give instead.
 */
export async function requiredConfig(
  file: string | undefined,
  note: (text: string) => void,
  hint = 'Give a file with --config.',
): Promise<ToolfoldConfig> {
  const { config, places } = await loadConfig(file, note);
  if (config !== undefined && config.servers.size + config.disabled.length > 0) return config;
  const [message, remedy] =
    file === undefined
      ? ['No MCP servers are configured.', hint + searchedText(places)]
      : [`There are no servers in ${file}.`, 'List them under "mcpServers".'];
  throw new ToolfoldError('invalid-config', message, remedy);
}

/** The places in which no server was found, for messages. */
export function searchedText(places: readonly Pick<ConfigPlace, 'client' | 'file'>[]): string {
  const lines = places.map(({ client, file }) => `\n  ${file} (${client})`);
  return lines.length === 0 ? '' : ` Searched:${lines.join('')}`;
}
