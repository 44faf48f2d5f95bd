import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  type ConfigPlace,
  type ConnectedServers,
  connectServers,
  loadFoundConfigs,
  readConfig,
  type ToolfoldConfig,
} from '../../mcp/index.ts';
import type { CommandContext } from '../terminal/index.ts';
import { Progress } from './progress.ts';

/** A configuration, and where else one was looked for. */
export interface LoadedConfig {
  /** Without servers where only a file with a `toolfold` block was found; `undefined` without either. */
  readonly config: ToolfoldConfig | undefined;
  /** Empty where a file was named. */
  readonly places: readonly ConfigPlace[];
  /** Where settings are saved, by themselves or with the servers; it need not exist. */
  readonly settingsFile: string;
}

/**
 * Reads the named file, or what is found where clients keep theirs, and says on `note` which was
 * taken. Throws `invalid-config` for a file that is malformed or absent.
 */
export async function loadConfig(
  file: string | undefined,
  note: (text: string) => void,
): Promise<LoadedConfig> {
  const loaded =
    file === undefined
      ? await findConfig(note)
      : { config: await readConfig(file, { env: process.env }), places: [], settingsFile: file };
  const disabled = loaded.config?.disabled ?? [];
  if (disabled.length > 0) note(`Disabled there: ${disabled.join(', ')}`);
  return loaded;
}

/** How the servers are started: `timeout` in milliseconds, `verbose` for a line per server. */
export interface StartOptions {
  readonly timeout?: number;
  readonly verbose?: boolean;
}

/** As `connectServers`, showing on the terminal how the servers start. */
export async function startServers(
  config: ToolfoldConfig,
  { terminal, signal }: Pick<CommandContext, 'terminal' | 'signal'>,
  { timeout, verbose = false }: StartOptions = {},
): Promise<ConnectedServers> {
  const progress = new Progress(terminal, verbose);
  return connectServers(config, {
    signal,
    timeout,
    onProgress: (status) => progress.update(status),
  }).finally(() => progress.end());
}

async function findConfig(note: (text: string) => void): Promise<LoadedConfig> {
  const { places, config, settingsFile } = await loadFoundConfigs({
    cwd: process.cwd(),
    home: homedir(),
    platform: process.platform,
    env: process.env,
  });
  if (config !== undefined) {
    const client = places.find(({ file }) => file === config.file)?.client;
    note(`Servers from ${config.file} (${client})`);
  }
  if (settingsFile !== undefined && settingsFile !== config?.file) {
    note(`Settings from ${settingsFile}`);
  }
  const own = places.find(({ client, exists }) => client === 'Toolfold' && exists);
  const found = {
    places,
    settingsFile: settingsFile ?? own?.file ?? join(process.cwd(), 'toolfold.json'),
  };
  if (config !== undefined || settingsFile === undefined) return { config, ...found };
  return { config: await readConfig(settingsFile, { env: process.env }), ...found };
}
