import { posix, win32 } from 'node:path';
import { JsonSource } from '@toolfold/config/internal/json-source.ts';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { type JsonValue, ownProperty, parsedJson } from '@toolfold/core/internal/values';
import { yamlValue } from './dialects.ts';
import { type ClientPlace, type FindConfigsOptions, readText } from './places.ts';
import {
  disabledByGemini,
  type Restriction,
  restrictionsIn,
  unknownRestriction,
} from './restrictions.ts';

/** A file without servers in which a client keeps what it restricts. */
interface Companion {
  readonly file: string;
  readonly read: (root: JsonValue, file: string) => readonly Restriction[];
}

/**
 * What the other files of a client restrict of the servers in one of its files. What a file with a mistake restricts
 * is not known, so no server is started. Never rejects.
 */
export async function companionRestrictions(
  place: ClientPlace,
  where: FindConfigsOptions,
): Promise<Restriction[]> {
  const companions = companionsOf(place, where).filter(({ file }) => file !== place.file);
  return (await Promise.all(companions.map(restrictionsOf))).flat();
}

async function restrictionsOf({ file, read }: Companion): Promise<readonly Restriction[]> {
  const found = await readText(file);
  if (found.state === 'absent') return [];
  if (found.state === 'unreadable')
    return [unknownRestriction(`${file} cannot be read (${found.reason})`)];
  const text = found.text.replace(/^\uFEFF/, '');
  if (text.trim() === '') return [];
  try {
    return read(await rootOf(file, text), file);
  } catch (error) {
    return [unknownRestriction(`${file} cannot be read (${errorMessage(error)})`)];
  }
}

async function rootOf(file: string, text: string): Promise<JsonValue> {
  if (file.endsWith('.yaml')) return yamlValue(file, text);
  const plain = parsedJson(text);
  if (plain !== undefined) return plain as JsonValue;
  // With comments. It is slower, and some of these files hold histories.
  const source = new JsonSource(file, text);
  return source.value(source.root);
}

/** Where the clients keep them. Sources: the clients' documentation as of late 2026. */
function companionsOf(
  { id }: ClientPlace,
  { cwd, home, platform, env }: FindConfigsOptions,
): readonly Companion[] {
  const { join } = platform === 'win32' ? win32 : posix;
  const claude = (file: string): Companion => ({
    file,
    read: (root, name) => restrictionsIn('claude-code', root, name),
  });
  const gemini = (file: string): Companion => ({
    file,
    read: (root, name) => restrictionsIn('gemini-cli', root, name),
  });
  switch (id) {
    case 'claude-code':
      return [
        claude(join(cwd, '.claude', 'settings.local.json')),
        claude(join(cwd, '.claude', 'settings.json')),
        claude(join(home, '.claude', 'settings.json')),
        claude(managedClaude(platform)),
        {
          file: join(home, '.claude.json'),
          read: (root, name) => claudeRestrictions(root, cwd, name),
        },
      ];
    case 'gemini-cli':
      return [
        { file: join(home, '.gemini', 'mcp-server-enablement.json'), read: disabledByGemini },
        gemini(join(home, '.gemini', 'settings.json')),
        gemini(join(cwd, '.gemini', 'settings.json')),
        gemini(systemGemini(platform)),
      ];
    case 'goose':
      return [
        {
          file: join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'goose', 'permission.yaml'),
          read: (root, name) => restrictionsIn('goose', root, name),
        },
      ];
    default:
      return [];
  }
}

function managedClaude(platform: NodeJS.Platform): string {
  if (platform === 'win32') return 'C:\\Program Files\\ClaudeCode\\managed-settings.json';
  if (platform === 'darwin') return '/Library/Application Support/ClaudeCode/managed-settings.json';
  return '/etc/claude-code/managed-settings.json';
}

function systemGemini(platform: NodeJS.Platform): string {
  if (platform === 'win32') return 'C:\\ProgramData\\gemini-cli\\settings.json';
  if (platform === 'darwin') return '/Library/Application Support/GeminiCli/settings.json';
  return '/etc/gemini-cli/settings.json';
}

/** The restrictions in the user's file of Claude Code: for all folders, and for this one. */
export function claudeRestrictions(root: JsonValue, cwd: string, file: string): Restriction[] {
  const own = claudeProject(root, cwd);
  return [root, own ?? {}].flatMap((one) => restrictionsIn('claude-code', one, file));
}

/** What the user's file of Claude Code says about a folder. On Windows it writes the folder with slashes. */
export function claudeProject(root: JsonValue, cwd: string): JsonValue | undefined {
  const projects = ownProperty(root, 'projects');
  const found = ownProperty(projects, cwd) ?? ownProperty(projects, cwd.replaceAll('\\', '/'));
  return found as JsonValue | undefined;
}
