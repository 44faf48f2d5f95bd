/**
 * The names of the tools that were listed earlier, for completions. They come from a cache: no server
 * is started. Empty as long as there is no cache.
 */
export async function knownToolNames(): Promise<readonly string[]> {
  return [];
}
