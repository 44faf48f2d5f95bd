import { homedir } from 'node:os';
import type { CommandRow, CommandTable, Completion, OptionRow, WordKind } from './command-table.ts';

/** The variable in which the scripts of the shells pass the table, so that it need not be made again. */
export const TABLE_VARIABLE = 'TOOLFOLD_COMPLETION';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The answer for the scripts of the shells. The first line is `words`, `files` or `folders`; after
 * `words`, each line is a word, a tab and its description. `words` are those after the name of the
 * program; the last one is completed. Reads files and caches only.
 */
export async function completions(
  words: readonly string[],
  env: Environment,
  table: CommandTable,
): Promise<string> {
  const plain = words.map(unquoted);
  const place = placeOf(plain, table);
  if (place.kind === 'files' || place.kind === 'folders') return `${place.kind}\n`;
  const candidates = await candidatesFor(place, plain, env, table);
  const lines = candidates
    .filter(([word]) => word.startsWith(place.part) && !/[\p{C}\p{Zl}\p{Zp}]/u.test(word))
    .map(([word, text]) =>
      `${place.prefix}${word}\t${text.replace(/[\p{C}\s]+/gu, ' ')}`.trimEnd(),
    );
  return `${['words', ...lines].join('\n')}\n`;
}

/**
 * The answer to `toolfold complete -- words...` without loading the other commands, which would take
 * longer than a user wants to wait. `undefined` if they are needed for it. Never throws.
 */
export async function fastCompletions(args: readonly string[]): Promise<string | undefined> {
  const { env } = process;
  try {
    const { VERSION } = await import('@toolfold/core/internal/version.ts');
    const table = passedTable(env, VERSION);
    return table && (await completions(args[0] === '--' ? args.slice(1) : args, env, table));
  } catch {
    // Nothing is completed.
    return '';
  }
}

/** The table that the script has passed; `undefined` if it is of another version. */
function passedTable(env: Environment, version: string): CommandTable | undefined {
  try {
    const table: CommandTable = JSON.parse(env[TABLE_VARIABLE] ?? '');
    return table.version === version && Array.isArray(table.commands) ? table : undefined;
  } catch {
    // The script has passed none.
    return;
  }
}

async function candidatesFor(
  { kind }: CompletionContext,
  words: readonly string[],
  env: Environment,
  table: CommandTable,
): Promise<readonly Completion[]> {
  if (typeof kind === 'object') return kind;
  if (kind === 'commands') return commandWords(table.commands ?? []);
  if (kind === 'sessions') return sessionWords();
  if (kind !== 'servers' && kind !== 'roles' && kind !== 'tools') return [];
  const { servers, roles } = await configuredNames(configFileIn(words.slice(0, -1)), env);
  const found = {
    servers: () => servers,
    roles: () => [...roles, ...table.roles],
    tools: () => toolNames(servers, words.at(-1) ?? ''),
  };
  return [...new Set(await found[kind]())].map((word) => [word, '']);
}

/** The word as the shell will read it. The last word may have an open quote. */
function unquoted(word: string): string {
  const quote = /^["']/.exec(word)?.[0];
  if (quote === "'") return word.slice(1).replace(/'$/, '');
  const inner = quote === undefined ? word : word.slice(1).replace(/(?<!\\)"$/, '');
  return inner.replace(/\\(.)/g, '$1');
}

/**
 * The names of the tools of these servers in cached lists, in the spelling that a word begins with:
 * `server.tool`, `server/tool`, else `server__tool`. No server is started.
 */
async function toolNames(servers: readonly string[], word: string): Promise<readonly string[]> {
  const [{ canonicalName, groupSlug }, { cachedNames }] = await Promise.all([
    import('@toolfold/core/internal/tool'),
    import('@toolfold/mcp/internal/server/manifest.ts'),
  ]);
  const cached = await cachedNames();
  return servers.flatMap((server) => {
    const slug = groupSlug(`mcp:${server}`);
    const mark = ['.', '/'].find((one) => word.startsWith(server + one));
    return [...(cached.get(server) ?? [])].map((name) =>
      mark === undefined ? canonicalName(slug, name) : `${server}${mark}${name}`,
    );
  });
}

/** The ids of sessions as they are shown, with their titles. Where two begin alike, both are whole. */
async function sessionWords(): Promise<Completion[]> {
  const [{ knownSessions }, { shortId }, { sessionsFolder }] = await Promise.all([
    import('@toolfold/agent/internal/sqlite'),
    import('../stored-sessions/find-session.ts'),
    import('../stored-sessions/find-session.ts'),
  ]);
  const sessions = knownSessions(sessionsFolder());
  const counts = Map.groupBy(sessions, ({ id }) => shortId(id));
  return sessions.map(({ id, title }) => {
    const short = shortId(id);
    return [counts.get(short)?.length === 1 ? short : id, title ?? ''];
  });
}

/** What is completed. */
interface CompletionContext {
  readonly kind: WordKind;
  /** The part of the last word that is completed. */
  readonly part: string;
  /** What stands before it in the same word, such as `--role=`. */
  readonly prefix: string;
}

/** What the last of the words can be. The words follow the name of the command. */
function placeOf(words: readonly string[], command: CommandRow): CompletionContext {
  const { commands, options } = command;
  const [before, last = ''] = [words.slice(0, -1), words.at(-1)];
  if (commands === undefined) return placeIn(command, before, last);
  const at = before.findIndex((word) => !word.startsWith('-'));
  const below = commands.find(({ name }) => name === before[at]);
  if (below) return placeOf(words.slice(at + 1), below);
  const kind = last.startsWith('-') ? optionWords(options) : commandWords(commands);
  return { kind: at < 0 ? kind : [], part: last, prefix: '' };
}

function commandWords(commands: readonly CommandRow[]): Completion[] {
  return commands.map(({ name, description }) => [name, description]);
}

function optionWords(options: readonly OptionRow[]): Completion[] {
  return options.flatMap(({ names, description }) =>
    names.map((name): Completion => [name, description]),
  );
}

function placeIn(command: CommandRow, before: readonly string[], last: string): CompletionContext {
  let open: OptionRow | undefined;
  let count = 0;
  let isOver = false;
  const used = new Set<string>();
  for (const word of before) {
    if (isOver || !/^-./.test(word)) {
      if (open === undefined) count += 1;
      else if (!open.isVariadic) open = undefined;
      continue;
    }
    isOver = word === '--';
    const [name = ''] = word.split('=', 1);
    const option = optionNamed(command, name);
    for (const other of option?.names ?? []) used.add(other);
    open = option?.value === undefined || word.includes('=') ? undefined : option;
  }
  const whole = { part: last, prefix: '' };
  const equals = last.indexOf('=');
  if (!isOver && last.startsWith('--') && equals > 0) {
    const kind = optionNamed(command, last.slice(0, equals))?.value ?? [];
    return { kind, part: last.slice(equals + 1), prefix: last.slice(0, equals + 1) };
  }
  const isOption = !isOver && last.startsWith('-');
  if (open?.value !== undefined && !(open.isVariadic && isOption))
    return { kind: open.value, ...whole };
  const options = command.options.filter(
    ({ names, isVariadic }) => isVariadic || !names.some((name) => used.has(name)),
  );
  if (isOption) return { kind: optionWords(options), ...whole };
  const argument = command.arguments[count] ?? (command.isVariadic && command.arguments.at(-1));
  if (argument) return { kind: argument, ...whole };
  return { kind: last === '' && !isOver ? optionWords(options) : [], ...whole };
}

function optionNamed({ options }: CommandRow, name: string): OptionRow | undefined {
  return options.find(({ names }) => names.includes(name));
}

/** Larger files take too long to parse while the user waits. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/**
 * The names of servers and roles in the given file, or in the files that the commands read. Files are
 * read one after the other, up to the first one with servers. Nothing is started.
 */
async function configuredNames(
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
  const { configPlaces } = await import('@toolfold/mcp/internal/clients/places.ts');
  const options = { cwd: process.cwd(), home, platform: process.platform, env };
  return configPlaces(options).map((place) => place.file);
}

async function namesIn(
  file: string,
): Promise<{ servers: string[]; roles: string[] | undefined } | undefined> {
  const { readText } = await import('@toolfold/mcp/internal/clients/places.ts');
  const read = await readText(file);
  if (read.state !== 'read' || read.text.length > MAX_CHARACTERS) return;
  const { JsonSource } = await import('@toolfold/config/internal/json-source.ts');
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
function configFileIn(words: readonly string[]): string | undefined {
  for (const [index, word] of words.entries()) {
    if (word === '--config') return words[index + 1];
    if (word.startsWith('--config=')) return word.slice('--config='.length);
  }
  return;
}
