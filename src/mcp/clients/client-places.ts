import { posix, win32 } from 'node:path';
import { configPlaces, type FindConfigsOptions } from '../config/index.ts';

/** How a client writes its servers. */
export type ClientFormat = 'json' | 'zed' | 'codex' | 'opencode';

/** A file in which an MCP client keeps its servers. */
export interface ClientPlace {
  readonly client: string;
  /** The name of the client in options and in names of servers, such as `claude-code`. */
  readonly id: string;
  readonly scope: 'project' | 'user';
  readonly file: string;
  readonly format: ClientFormat;
}

/**
 * The files of all known clients: those that the command line reads by itself, then those that only
 * `toolfold init` reads. Nothing is read, and no value comes from the running process.
 */
export function clientPlaces(options: FindConfigsOptions): ClientPlace[] {
  const read = configPlaces(options).map((place) => placeOf('json', place));
  return [...read, ...otherPlaces(options)];
}

/** The ids of all known clients, in the order of their places. */
export function clientIds(): string[] {
  const nowhere: FindConfigsOptions = { cwd: '/', home: '/', platform: 'linux', env: {} };
  return [...new Set(clientPlaces(nowhere).map(({ id }) => id))];
}

function otherPlaces({ cwd, home, platform, env }: FindConfigsOptions): ClientPlace[] {
  const { join } = platform === 'win32' ? win32 : posix;
  const roaming = env.APPDATA ?? join(home, 'AppData', 'Roaming');
  const configs = env.XDG_CONFIG_HOME ?? join(home, '.config');
  // Zed uses ~/.config on macOS too. VS Code, which holds Cline's file, does not.
  const zed = { win32: join(roaming, 'Zed'), darwin: join(home, '.config', 'zed') };
  const code = {
    win32: join(roaming, 'Code'),
    darwin: join(home, 'Library', 'Application Support', 'Code'),
  };
  const on = <T>(each: { win32: T; darwin: T }, otherwise: T): T =>
    platform === 'win32' || platform === 'darwin' ? each[platform] : otherwise;
  const cline = ['User', 'globalStorage', 'saoudrizwan.claude-dev', 'settings'];
  const user = (client: string, file: string) => ({ client, scope: 'user' as const, file });
  const project = (client: string, file: string) => ({ client, scope: 'project' as const, file });
  const zedSettings = join(on(zed, join(configs, 'zed')), 'settings.json');
  const codeFolder = on(code, join(configs, 'Code'));
  return [
    placeOf('zed', project('Zed', join(cwd, '.zed', 'settings.json'))),
    placeOf('zed', user('Zed', zedSettings)),
    placeOf('json', user('Cline', join(codeFolder, ...cline, 'cline_mcp_settings.json'))),
    placeOf('codex', project('Codex', join(cwd, '.codex', 'config.toml'))),
    placeOf('codex', user('Codex', join(env.CODEX_HOME ?? join(home, '.codex'), 'config.toml'))),
    ...['opencode.json', 'opencode.jsonc'].flatMap((name) => [
      placeOf('opencode', project('opencode', join(cwd, name))),
      placeOf('opencode', user('opencode', join(configs, 'opencode', name))),
    ]),
  ];
}

function placeOf(
  format: ClientFormat,
  { client, scope, file }: Pick<ClientPlace, 'client' | 'scope' | 'file'>,
): ClientPlace {
  const id = client.toLowerCase().replaceAll(' ', '-');
  return { client, id, scope, file, format };
}
