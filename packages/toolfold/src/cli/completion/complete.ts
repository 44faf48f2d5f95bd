import type { Candidate, CommandTable } from './command-table.ts';
import { configFileIn, configuredNames } from './configured-names.ts';
import { commandWords, type Place, placeOf } from './place.ts';

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
  { kind }: Place,
  words: readonly string[],
  env: Environment,
  table: CommandTable,
): Promise<readonly Candidate[]> {
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
    import('@toolfold/core/internal/tools/names'),
    import('@toolfold/mcp/internal/mcp/manifest/cached-names.ts'),
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
async function sessionWords(): Promise<Candidate[]> {
  const [{ knownSessions }, { shortId }, { sessionsFolder }] = await Promise.all([
    import('@toolfold/agent/internal/sessions/sqlite'),
    import('../../app/sessions/find-session.ts'),
    import('../../app/sessions/folder.ts'),
  ]);
  const sessions = knownSessions(sessionsFolder());
  const counts = Map.groupBy(sessions, ({ id }) => shortId(id));
  return sessions.map(({ id, title }) => {
    const short = shortId(id);
    return [counts.get(short)?.length === 1 ? short : id, title ?? ''];
  });
}
