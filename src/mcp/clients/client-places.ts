import {
  type ConfigPlace,
  configPlaces,
  type FindConfigsOptions,
  foldersOf,
  placeAt,
} from '../config/index.ts';

/** How a client writes its servers. */
export type ClientFormat = 'json' | 'zed' | 'codex' | 'opencode';

/** A file in which an MCP client keeps its servers. */
export interface ClientPlace extends Omit<ConfigPlace, 'exists'> {
  /** The name of the client in options and in names of servers, such as `claude-code`. */
  readonly id: string;
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

function otherPlaces(options: FindConfigsOptions): ClientPlace[] {
  const { cwd, home, platform, env } = options;
  const { join, applications, configs } = foldersOf(options);
  // Zed uses ~/.config on macOS too. VS Code, which holds Cline's file, does not.
  const zed =
    platform === 'win32'
      ? join(applications, 'Zed')
      : join(platform === 'darwin' ? join(home, '.config') : configs, 'zed');
  const cline = ['User', 'globalStorage', 'saoudrizwan.claude-dev', 'settings'];
  const clineFile = join(applications, 'Code', ...cline, 'cline_mcp_settings.json');
  const codex = env.CODEX_HOME ?? join(home, '.codex');
  return [
    placeOf('zed', placeAt('project', 'Zed', join(cwd, '.zed', 'settings.json'))),
    placeOf('zed', placeAt('user', 'Zed', join(zed, 'settings.json'))),
    placeOf('json', placeAt('user', 'Cline', clineFile)),
    placeOf('codex', placeAt('project', 'Codex', join(cwd, '.codex', 'config.toml'))),
    placeOf('codex', placeAt('user', 'Codex', join(codex, 'config.toml'))),
    ...['opencode.json', 'opencode.jsonc'].flatMap((name) => [
      placeOf('opencode', placeAt('project', 'opencode', join(cwd, name))),
      placeOf('opencode', placeAt('user', 'opencode', join(configs, 'opencode', name))),
    ]),
  ];
}

/** A place as that of a client. */
export function placeOf(format: ClientFormat, place: Omit<ConfigPlace, 'exists'>): ClientPlace {
  return { ...place, id: place.client.toLowerCase().replaceAll(' ', '-'), format };
}
