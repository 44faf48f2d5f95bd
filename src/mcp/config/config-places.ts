import { posix, win32 } from 'node:path';

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

type Place = Omit<ConfigPlace, 'exists'>;

/** A row of a table of places. */
export function placeAt(scope: Place['scope'], client: string, file: string): Place {
  return { client, scope, file };
}

/** The folders in which applications keep their settings. */
export function foldersOf({ home, platform, env }: Omit<FindConfigsOptions, 'cwd'>): {
  readonly join: typeof posix.join;
  readonly applications: string;
  /** That of programs that use it on all systems. */
  readonly configs: string;
} {
  const { join } = platform === 'win32' ? win32 : posix;
  const configs = env.XDG_CONFIG_HOME ?? join(home, '.config');
  const applications =
    platform === 'win32'
      ? (env.APPDATA ?? join(home, 'AppData', 'Roaming'))
      : platform === 'darwin'
        ? join(home, 'Library', 'Application Support')
        : configs;
  return { join, applications, configs };
}

/** The places of `findConfigs`, without a look at the disk. */
export function configPlaces(options: FindConfigsOptions): Place[] {
  const { cwd, home } = options;
  const { join, applications } = foldersOf(options);
  return [
    placeAt('project', 'Toolfold', join(cwd, 'toolfold.jsonc')),
    placeAt('project', 'Toolfold', join(cwd, 'toolfold.json')),
    placeAt('project', 'Claude Code', join(cwd, '.mcp.json')),
    placeAt('project', 'Cursor', join(cwd, '.cursor/mcp.json')),
    placeAt('project', 'VS Code', join(cwd, '.vscode/mcp.json')),
    placeAt('project', 'Gemini CLI', join(cwd, '.gemini/settings.json')),
    placeAt('project', 'MCP', join(cwd, 'mcp.json')),
    placeAt('user', 'Claude Desktop', join(applications, 'Claude', 'claude_desktop_config.json')),
    placeAt('user', 'Claude Code', join(home, '.claude.json')),
    placeAt('user', 'Cursor', join(home, '.cursor', 'mcp.json')),
    placeAt('user', 'VS Code', join(applications, 'Code', 'User', 'mcp.json')),
    placeAt('user', 'Windsurf', join(home, '.codeium', 'windsurf', 'mcp_config.json')),
    placeAt('user', 'Gemini CLI', join(home, '.gemini', 'settings.json')),
  ];
}
