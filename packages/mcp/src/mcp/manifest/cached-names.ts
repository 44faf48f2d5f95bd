import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readPrivate, userFolder } from '@toolfold/config/internal/files';
import { ownProperty, parsedJson } from '@toolfold/core/internal/tools/values';
import { VERSION } from './manifest.ts';

/** Maximum files that are read. More than a user's servers, and few enough to be read while he waits. */
const MAX_FILES = 200;

/**
 * The names of the tools in cached lists, by server. Servers of one name in several configurations are
 * one. Never rejects: what cannot be read is left out.
 */
export async function cachedNames(
  folder: string = join(userFolder('cache'), 'manifests'),
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const files = await readdir(folder).catch(() => []);
  const current = files.filter((name) => name.endsWith(`.v${VERSION}.json`)).slice(0, MAX_FILES);
  const found = new Map<string, Set<string>>();
  const read = (name: string) => readPrivate(join(folder, name)).catch(() => undefined);
  for (const text of await Promise.all(current.map(read))) {
    const manifest = parsedJson(text ?? '');
    const server = ownProperty(manifest, 'server');
    const tools = ownProperty(ownProperty(manifest, 'listing'), 'tools');
    if (typeof server !== 'string' || !Array.isArray(tools)) continue;
    const names = found.get(server) ?? new Set();
    for (const tool of tools) {
      const name = ownProperty(tool, 'name');
      if (typeof name === 'string') names.add(name);
    }
    found.set(server, names);
  }
  return found;
}
