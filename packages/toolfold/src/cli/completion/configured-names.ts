import { homedir } from 'node:os';

/** Larger files take too long to parse while the user waits. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/**
 * The names of servers and roles in the given file, or in the files that the commands read. Files are
 * read one after the other, up to the first one with servers. Nothing is started.
 */
export async function configuredNames(
  file: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Readonly<Record<'servers' | 'roles', readonly string[]>>> {
  const home = homedir();
  const files =
    file === undefined ? await usualFiles(home, env) : [file.replace(/^~(?=[\\/])/, () => home)];
  let roles: readonly string[] | undefined;
  for (const path of files) {
    const found = await namesIn(path);
    roles ??= found?.roles;
    if (found !== undefined && found.servers.length > 0)
      return { servers: found.servers, roles: roles ?? [] };
  }
  return { servers: [], roles: roles ?? [] };
}

async function usualFiles(
  home: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string[]> {
  const { configPlaces } = await import('@toolfold/mcp/internal/mcp/clients/places.ts');
  const options = { cwd: process.cwd(), home, platform: process.platform, env };
  return configPlaces(options).map((place) => place.file);
}

async function namesIn(
  file: string,
): Promise<{ servers: string[]; roles: string[] | undefined } | undefined> {
  const { readText } = await import('@toolfold/mcp/internal/mcp/clients/read-text.ts');
  const read = await readText(file);
  if (read.state !== 'read' || read.text.length > MAX_CHARACTERS) return;
  const { JsonSource } = await import('@toolfold/config/internal/config/json-source.ts');
  try {
    const source = new JsonSource(file, read.text);
    const root = source.members(source.root);
    const servers = root.get('mcpServers') ?? root.get('servers');
    const block = root.get('toolfold');
    const roles = block && source.members(block.value).get('roles');
    const enabled = [...(servers === undefined ? [] : source.members(servers.value))].filter(
      ([, { value }]) => source.members(value).get('disabled')?.value.value !== true,
    );
    return {
      servers: enabled.map(([name]) => name),
      roles: block && [...(roles === undefined ? [] : source.members(roles.value).keys())],
    };
  } catch {
    // The commands report a file with a mistake.
    return;
  }
}

/** The file of `--config` among the words, if it is there. */
export function configFileIn(words: readonly string[]): string | undefined {
  for (const [index, word] of words.entries()) {
    if (word === '--config') return words[index + 1];
    if (word.startsWith('--config=')) return word.slice('--config='.length);
  }
  return;
}
