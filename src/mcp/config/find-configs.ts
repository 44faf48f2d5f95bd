import { access } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import type { ToolfoldConfig } from './config.ts';
import { readConfig } from './read-config.ts';

/** Where to look. No value is read from the running process. */
export interface FindConfigsOptions {
  readonly cwd: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A file path where an MCP client keeps its configuration. */
export interface ConfigPlace {
  readonly client: string;
  readonly scope: 'project' | 'user';
  readonly file: string;
  readonly exists: boolean;
}

/**
 * The places where MCP clients keep their configuration, in order of precedence: Toolfold's own file,
 * then the files of the project, then those of the user. Sources: the clients' documentation as of
 * late 2026.
 */
export async function findConfigs(options: FindConfigsOptions): Promise<ConfigPlace[]> {
  return Promise.all(
    places(options).map(async (place) => ({
      ...place,
      exists: await access(place.file).then(
        () => true,
        () => false,
      ),
    })),
  );
}

/** The result of `loadFoundConfigs`: the servers of one file, and the settings of the same or another file. */
export interface FoundConfig {
  readonly places: readonly ConfigPlace[];
  readonly config: ToolfoldConfig | undefined;
  /** The file of the `toolfold` block, if there is one. */
  readonly settingsFile: string | undefined;
}

/**
 * Reads the files in order up to the first one that has servers, and uses the first `toolfold` block
 * found in them. Throws `invalid-config` if one of these files is malformed.
 */
export async function loadFoundConfigs(options: FindConfigsOptions): Promise<FoundConfig> {
  const found = await findConfigs(options);
  let settingsFrom: ToolfoldConfig | undefined;
  for (const place of found) {
    if (!place.exists) continue;
    const config = await readConfig(place.file, {
      env: options.env,
      root: options.cwd,
      // A user's file belongs to no project, so its workspace is the current folder.
      ...(place.scope === 'user' ? { workspaceFolder: options.cwd } : {}),
    });
    if (config.settings !== undefined) settingsFrom ??= config;
    if (config.servers.size === 0) continue;
    return {
      places: found,
      config: { ...config, settings: settingsFrom?.settings },
      settingsFile: settingsFrom?.file,
    };
  }
  return { places: found, config: undefined, settingsFile: settingsFrom?.file };
}

function places(options: FindConfigsOptions): Omit<ConfigPlace, 'exists'>[] {
  const { cwd, home, platform, env } = options;
  const { join } = platform === 'win32' ? win32 : posix;
  const applications =
    platform === 'win32'
      ? (env.APPDATA ?? join(home, 'AppData', 'Roaming'))
      : platform === 'darwin'
        ? join(home, 'Library', 'Application Support')
        : (env.XDG_CONFIG_HOME ?? join(home, '.config'));
  const project = (client: string, file: string): Omit<ConfigPlace, 'exists'> => ({
    client,
    scope: 'project',
    file: join(cwd, file),
  });
  const user = (client: string, file: string): Omit<ConfigPlace, 'exists'> => ({
    client,
    scope: 'user',
    file,
  });
  return [
    project('Toolfold', 'toolfold.jsonc'),
    project('Toolfold', 'toolfold.json'),
    project('Claude Code', '.mcp.json'),
    project('Cursor', '.cursor/mcp.json'),
    project('VS Code', '.vscode/mcp.json'),
    project('Gemini CLI', '.gemini/settings.json'),
    project('MCP', 'mcp.json'),
    user('Claude Desktop', join(applications, 'Claude', 'claude_desktop_config.json')),
    user('Claude Code', join(home, '.claude.json')),
    user('Cursor', join(home, '.cursor', 'mcp.json')),
    user('VS Code', join(applications, 'Code', 'User', 'mcp.json')),
    user('Windsurf', join(home, '.codeium', 'windsurf', 'mcp_config.json')),
    user('Gemini CLI', join(home, '.gemini', 'settings.json')),
  ];
}
