import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where the folder of a user is looked up. */
export interface UserFolderOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly platform?: NodeJS.Platform;
  readonly home?: string;
}

/** The base folder of each kind, by platform. Elsewhere the XDG base directories apply. */
const bases: Readonly<Record<string, Readonly<Record<'cache' | 'data', readonly string[]>>>> = {
  darwin: { cache: ['Library', 'Caches'], data: ['Library', 'Application Support'] },
  win32: { cache: ['AppData', 'Local'], data: ['AppData', 'Local'] },
};

const xdg = {
  cache: { variable: 'XDG_CACHE_HOME', base: ['.cache'] },
  data: { variable: 'XDG_DATA_HOME', base: ['.local', 'share'] },
} as const;

/**
 * The user's folder for files that can be made again (`cache`) or that cannot (`data`):
 * `$XDG_CACHE_HOME/toolfold` and `$XDG_DATA_HOME/toolfold`, or the platform's own place.
 */
export function userFolder(kind: 'cache' | 'data', options: UserFolderOptions = {}): string {
  const { env = process.env, platform = process.platform, home = homedir() } = options;
  const { variable, base } = xdg[kind];
  const set = env[variable];
  if (set !== undefined && set !== '') return join(set, 'toolfold');
  const local = platform === 'win32' ? env.LOCALAPPDATA : undefined;
  const folder = local ?? join(home, ...(bases[platform]?.[kind] ?? base));
  return platform === 'win32' ? join(folder, 'toolfold', kind) : join(folder, 'toolfold');
}
