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

/** The places of `findConfigs`, without a look at the disk. */
export function configPlaces(options: FindConfigsOptions): Omit<ConfigPlace, 'exists'>[] {
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
