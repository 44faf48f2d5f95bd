import { constants, realpathSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, isAbsolute, posix, relative, resolve, sep, win32 } from 'node:path';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { ownProperty } from '@toolfold/core/internal/values';

/** Where to look. No value is read from the running process. */
export interface FindConfigsOptions {
  readonly cwd: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A file that is read in place of the project's files, and that is trusted no more than these. */
  readonly file?: string | undefined;
}

/** A file path where an MCP client keeps its configuration. */
export interface ConfigPlace {
  readonly client: string;
  readonly scope: 'project' | 'user';
  readonly file: string;
  readonly exists: boolean;
}

/** How a client writes its servers. */
export type ClientFormat = 'json' | 'zed' | 'codex' | 'opencode' | 'goose' | 'continue';

/** A file in which an MCP client keeps its servers. */
export interface ClientPlace extends Omit<ConfigPlace, 'exists'> {
  /** The name of the client in options and in names of servers, such as `claude-code`. */
  readonly id: string;
  readonly format: ClientFormat;
}

function placeAt(
  scope: ClientPlace['scope'],
  client: string,
  file: string,
  format: ClientFormat = 'json',
): ClientPlace {
  return { client, id: client.toLowerCase().replaceAll(' ', '-'), scope, file, format };
}

/** Clients whose files only `toolfold init` reads. */
const FOR_INIT = ['zed', 'cline', 'codex', 'opencode', 'goose', 'continue'];

/** The places of `findConfigs`, without a look at the disk. */
export function configPlaces(options: FindConfigsOptions): ClientPlace[] {
  const all = clientPlaces(options).filter(({ id }) => !FOR_INIT.includes(id));
  const { file } = options;
  if (file === undefined) return all;
  return [placeAt('project', 'Toolfold', file), ...all.filter(({ scope }) => scope === 'user')];
}

/**
 * The files of all known clients: those that the command line reads by itself, then those that only
 * `toolfold init` reads. Nothing is read, and no value comes from the running process.
 */
export function clientPlaces({ cwd, home, platform, env }: FindConfigsOptions): ClientPlace[] {
  const { join } = platform === 'win32' ? win32 : posix;
  const configs = env.XDG_CONFIG_HOME ?? join(home, '.config');
  const applications =
    platform === 'win32'
      ? (env.APPDATA ?? join(home, 'AppData', 'Roaming'))
      : platform === 'darwin'
        ? join(home, 'Library', 'Application Support')
        : configs;
  // Zed uses ~/.config on macOS too. VS Code, which holds Cline's file, does not.
  const zed = {
    win32: join(applications, 'Zed'),
    darwin: join(home, '.config', 'zed'),
    other: join(configs, 'zed'),
  }[platform === 'win32' || platform === 'darwin' ? platform : 'other'];
  const cline = ['Code', 'User', 'globalStorage', 'saoudrizwan.claude-dev', 'settings'];
  const clineFile = join(applications, ...cline, 'cline_mcp_settings.json');
  const codex = env.CODEX_HOME ?? join(home, '.codex');
  const goose =
    platform === 'win32'
      ? join(applications, 'Block', 'goose', 'config')
      : join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'goose');
  return [
    placeAt('project', 'Toolfold', join(cwd, 'toolfold.jsonc')),
    placeAt('project', 'Toolfold', join(cwd, 'toolfold.json')),
    placeAt('project', 'Claude Code', join(cwd, '.mcp.json')),
    placeAt('project', 'Cursor', join(cwd, '.cursor/mcp.json')),
    placeAt('project', 'VS Code', join(cwd, '.vscode/mcp.json')),
    placeAt('project', 'Gemini CLI', join(cwd, '.gemini/settings.json')),
    placeAt('project', 'MCP', join(cwd, 'mcp.json')),
    placeAt('user', 'Claude Desktop', join(applications, 'Claude/claude_desktop_config.json')),
    placeAt('user', 'Claude Code', join(home, '.claude.json')),
    placeAt('user', 'Cursor', join(home, '.cursor/mcp.json')),
    placeAt('user', 'VS Code', join(applications, 'Code/User/mcp.json')),
    placeAt('user', 'Windsurf', join(home, '.codeium/windsurf/mcp_config.json')),
    placeAt('user', 'Gemini CLI', join(home, '.gemini/settings.json')),
    placeAt('project', 'Zed', join(cwd, '.zed/settings.json'), 'zed'),
    placeAt('user', 'Zed', join(zed, 'settings.json'), 'zed'),
    placeAt('user', 'Cline', clineFile),
    placeAt('project', 'Codex', join(cwd, '.codex/config.toml'), 'codex'),
    placeAt('user', 'Codex', join(codex, 'config.toml'), 'codex'),
    ...['opencode.json', 'opencode.jsonc'].flatMap((name) => [
      placeAt('project', 'opencode', join(cwd, name), 'opencode'),
      placeAt('user', 'opencode', join(configs, 'opencode', name), 'opencode'),
    ]),
    placeAt('user', 'Goose', join(goose, 'config.yaml'), 'goose'),
    placeAt('user', 'Continue', join(home, '.continue', 'config.yaml'), 'continue'),
  ];
}

/** Ends of paths, by which the client of a named file is known. */
const ENDS: readonly (readonly [RegExp, client: string, format?: ClientFormat])[] = [
  [/[\\/]\.claude\.json$/, 'Claude Code'],
  [/[\\/]\.mcp\.json$/, 'Claude Code'],
  [/[\\/]claude_desktop_config\.json$/, 'Claude Desktop'],
  [/[\\/]\.cursor[\\/]mcp\.json$/, 'Cursor'],
  [/[\\/](?:\.vscode|Code[\\/]User)[\\/]mcp\.json$/, 'VS Code'],
  [/[\\/]mcp_config\.json$/, 'Windsurf'],
  [/[\\/]\.gemini[\\/]settings\.json$/, 'Gemini CLI'],
  [/[\\/]\.?zed[\\/]settings\.json$/i, 'Zed', 'zed'],
  [/[\\/]cline_mcp_settings\.json$/, 'Cline'],
  [/\.toml$/, 'Codex', 'codex'],
  [/[\\/]opencode\.jsonc?$/, 'opencode', 'opencode'],
  [/[\\/]goose[\\/](?:config[\\/])?config\.ya?ml$/, 'Goose', 'goose'],
  [/\.ya?ml$/, 'Continue', 'continue'],
];

/** A file that is named, as a file of the client that writes such names. Others are read as all clients write. */
export function placeOf(file: string): ClientPlace {
  const path = resolve(file);
  const [, client = 'MCP', format] = ENDS.find(([end]) => end.test(path)) ?? [];
  return placeAt(path.endsWith('.claude.json') ? 'user' : 'project', client, file, format);
}

/** The folder that a file configures. For a file in the folder of a client, such as `.vscode`, the one above. */
export function workspaceOf(file: string): string {
  const folder = dirname(resolve(file));
  return FOLDERS.includes(basename(folder)) ? dirname(folder) : folder;
}

const FOLDERS = ['.vscode', '.cursor', '.gemini', '.zed', '.codex'];

/** Larger files are not read. Clients that keep histories in their file write some megabytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The text of a file, or the reason why there is none. */
export type FileText =
  | { readonly state: 'read'; readonly text: string }
  | { readonly state: 'absent' }
  | { readonly state: 'unreadable'; readonly reason: string };

/** Does not wait for the writer of a pipe. Windows has no such flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Reads a regular file. Never throws, and never waits for a pipe or a device. */
export async function readText(file: string): Promise<FileText> {
  try {
    await using handle = await open(file, FLAGS);
    const found = await handle.stat();
    if (found.isDirectory()) return unreadable('it is a folder');
    if (!found.isFile()) return unreadable('it is not a regular file');
    if (found.size > MAX_BYTES) return unreadable('it is larger than 64 MB');
    return { state: 'read', text: await handle.readFile('utf8') };
  } catch (error) {
    const code = ownProperty(error, 'code');
    if (code === 'ENOENT' || code === 'ENOTDIR') return { state: 'absent' };
    return unreadable(errorMessage(error));
  }
}

/**
 * Reads a file that nobody has named, as `readText` does. Whoever made the project chose where its links lead: one is
 * read only if it leads to a JSON file of the project, or to one of the user's files.
 */
export async function readFound(
  place: ClientPlace,
  options: FindConfigsOptions,
): Promise<FileText> {
  if (place.scope === 'project' && leadsAstray(place.file, options))
    return unreadable('it is a link to something else than a JSON file of this folder');
  return readText(place.file);
}

function leadsAstray(file: string, options: FindConfigsOptions): boolean {
  const inside = relative(resolve(options.cwd), resolve(file));
  if (isOutside(inside)) return false;
  const [folder, target] = [realPath(options.cwd), realPath(file)];
  if (target === resolve(folder, inside)) return false;
  if (!isOutside(relative(folder, target)) && /\.jsonc?$/i.test(target)) return false;
  const own = clientPlaces(options).filter(({ scope }) => scope === 'user');
  return !own.some((place) => realPath(place.file) === target);
}

/** On Windows, a path on another drive stays absolute. */
function isOutside(path: string): boolean {
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);
}

/** A file without links. One that does not exist has the path by which it was named. */
export function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return resolve(file);
  }
}

function unreadable(reason: string): FileText {
  return { state: 'unreadable', reason };
}
