import { loadConfig, searchedText, useProxies } from '../../app/servers/index.ts';
import { type Terminal, usageError } from '../../app/terminal/index.ts';
import type { ServerEntry } from '../../mcp/index.ts';
import { nearNames } from '../../tools/names/near/index.ts';

/**
 * The entry of a server in the configuration. Throws `invalid-option` if there is none of this name, and
 * `invalid-config` as `loadConfig` does.
 */
export async function namedServer(
  name: string,
  file: string | undefined,
  { note }: Terminal,
): Promise<ServerEntry> {
  const { config, places } = await loadConfig(file, note);
  if (config !== undefined) useProxies(config.servers, note);
  const entry = config?.servers.get(name);
  if (entry !== undefined) return entry;
  if (config?.disabled.includes(name))
    throw usageError(`${name} is disabled in ${config.file}.`, 'Remove "disabled" from its entry.');
  const names = [...(config?.servers.keys() ?? [])];
  const [near] = nearNames(name, names, 1);
  const hint =
    near !== undefined
      ? `Did you mean ${near}?`
      : names.length > 0
        ? `The servers are ${names.join(', ')}.`
        : `Give a file with --config.${searchedText(places)}`;
  throw usageError(`There is no server ${JSON.stringify(name)}.`, hint);
}
