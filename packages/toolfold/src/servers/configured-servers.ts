import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import type { ConfigPlace } from '@toolfold/mcp/internal/clients';
import {
  type FoundConfig,
  loadFoundConfigs,
  readConfig,
  type ToolfoldConfig,
} from '@toolfold/mcp/internal/config';
import { type CommandContext, canAsk, isAgreed, realPath, usageError } from '../terminal/index.ts';
import { noteUntrusted, type TrustHost, trustedAmong } from './trust.ts';

/** A configuration, and the places that were searched for one: none if a file was given. */
interface LoadedConfig extends Pick<FoundConfig, 'config' | 'places' | 'untrusted'> {
  /** The file in which settings are saved, alone or with the servers. It may not exist yet. */
  readonly settingsFile: string;
  /** The folder in which a block of that file needs a yes. Undefined: the user has named the file, or it is their own. */
  readonly trustFolder: string | undefined;
}

/**
 * Reads the given file, or a file from the usual places of MCP clients for a project in `folder`, and
 * writes with `note` which file is used. To give a file is to say yes to it; of files that were found in the folder,
 * only trusted entries count. Throws `invalid-config` if the file is malformed or absent.
 */
export async function loadConfig(
  file: string | undefined,
  host: TrustHost,
  folder: string = process.cwd(),
  ofProject?: string,
): Promise<LoadedConfig> {
  const loaded =
    file === undefined
      ? await findConfig(host, folder, ofProject)
      : {
          config: await readConfig(file, { env: process.env, root: folder }),
          places: [],
          settingsFile: file,
          trustFolder: undefined,
          untrusted: [],
        };
  const { disabled = [], remarks = [] } = loaded.config ?? {};
  if (disabled.length > 0) host.note(`Disabled in the configuration: ${disabled.join(', ')}`);
  for (const remark of remarks) host.note(remark);
  noteUntrusted(loaded.untrusted, folder, host.note);
  return loaded;
}

async function findConfig(
  host: TrustHost,
  folder: string,
  file: string | undefined,
): Promise<LoadedConfig> {
  const { platform, env } = process;
  if (file !== undefined && !existsSync(file))
    throw usageError(`There is no file ${file}.`, 'Give --config a path that each folder has.');
  const found = await loadFoundConfigs({
    ...{ cwd: folder, home: homedir(), platform, env, file },
    trusted: (entries) => trustedAmong(entries, folder, host),
  });
  const { places, config, untrusted } = found;
  if (config !== undefined) {
    const client = places.find(({ file }) => file === config.file)?.client;
    host.note(`Servers from ${config.file} (${client})`);
  }
  if (found.settingsFile !== undefined && found.settingsFile !== config?.file)
    host.note(`Settings from ${found.settingsFile}`);
  const own = places.find(({ client, exists }) => client === 'Toolfold' && exists);
  const settingsFile = found.settingsFile ?? own?.file ?? join(folder, 'toolfold.json');
  const isOfUser = places.some(
    ({ scope, file }) => scope === 'user' && realPath(file) === realPath(settingsFile),
  );
  const saved = { settingsFile, trustFolder: isOfUser ? undefined : folder };
  if (config !== undefined || found.settingsFile === undefined)
    return { config, places, untrusted, ...saved };
  const { settings } = found;
  const none = { file: settingsFile, servers: new Map(), disabled: [], settings };
  return { config: none, places, untrusted, ...saved };
}

/** How a command asks on its terminal. Undefined where nobody can be asked. */
export function trustHost({ terminal, streams, signal }: PromptContext): TrustHost {
  const { note } = terminal;
  if (!canAsk(streams)) return { note };
  return { note, confirm: (question) => isAgreed(question, { streams, signal }) };
}

type PromptContext = Pick<CommandContext, 'terminal' | 'streams' | 'signal'>;

/**
 * Reads the configuration as `loadConfig` does. Throws `invalid-config` if it has no servers at all, those included
 * that are disabled or not trusted. `hint`: what to give instead.
 */
export async function requiredConfig(
  file: string | undefined,
  host: TrustHost,
  hint = 'Give a file with --config, or take the servers of your MCP clients over: toolfold init --write.',
): Promise<ToolfoldConfig> {
  const { config, places } = await loadConfig(file, host);
  const { disabled = [], untrusted = [] } = config ?? {};
  if (config !== undefined && config.servers.size + disabled.length + untrusted.length > 0)
    return config;
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
