import { nearNames } from '@toolfold/core/internal/tools/names/near';
import type { ServerEntry } from '@toolfold/mcp/internal/mcp';
import {
  loadConfig,
  notTrusted,
  searchedText,
  type TrustHost,
  useProxies,
} from '../../app/servers/index.ts';
import { usageError } from '../../app/terminal/index.ts';

/**
 * The entry of a server in the configuration. Throws `invalid-option` if there is none of this name, and
 * `invalid-config` as `loadConfig` does.
 */
export async function namedServer(
  name: string,
  file: string | undefined,
  host: TrustHost,
): Promise<ServerEntry> {
  const { config, places } = await loadConfig(file, host);
  if (config !== undefined) useProxies(config.servers, host.note);
  const entry = config?.servers.get(name);
  if (entry !== undefined) return entry;
  if (config?.untrusted?.includes(name)) throw notTrusted(name, config.file);
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
