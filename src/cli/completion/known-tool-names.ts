import { canonicalName, groupSlug } from '../../tools/names/index.ts';

/**
 * The names of the tools of these servers that were listed earlier, for completions. They come from
 * cached lists: no server is started.
 */
export async function knownToolNames(servers: readonly string[]): Promise<readonly string[]> {
  const { cachedNames } = await import('../../mcp/manifest/cached-names.ts');
  const cached = await cachedNames();
  return servers.flatMap((server) => {
    const slug = groupSlug(`mcp:${server}`);
    return [...(cached.get(server) ?? [])].map((name) => canonicalName(slug, name));
  });
}
