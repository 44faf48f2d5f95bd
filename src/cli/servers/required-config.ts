import { ToolfoldError } from '../../errors.ts';
import type { ToolfoldConfig } from '../../mcp/index.ts';
import { loadConfig } from './configured-servers.ts';

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
  const searched = places.map(({ client, file: path }) => `\n  ${path} (${client})`).join('');
  throw new ToolfoldError(
    'invalid-config',
    file === undefined ? 'No MCP servers are configured.' : `There are no servers in ${file}.`,
    `${hint}${searched && ` Searched:${searched}`}`,
  );
}
