import { parametersOf } from '@toolfold/core/internal/schema';
import { firstSentence, formatCount, type JsonSchema } from '@toolfold/core/internal/values';
import { type KnownTool, knownTools } from '@toolfold/mcp/internal/known-tools.ts';
import type { ServerStatus } from '@toolfold/mcp/internal/server';
import { type ChatCommand, nextLine } from './command.ts';
import { serverWays } from './greeting.ts';
import type { Chat } from './open-chat.ts';

/** Most hits of a query, most tools of a list, and most characters of a description. */
const HITS = 10;
const MOST = 200;
const MAX_DESCRIPTION = 100;
/** Columns of the names, where they are not longer. */
const MAX_WIDTH = 32;

/** `/tools`: turns tools on or off, lists servers and tools, or searches them. */
export const tools: ChatCommand = {
  name: 'tools',
  hint: '[on|off|query]',
  summary: 'list tools and servers, search them, turn them on or off',
  values: () => ['on', 'off'],
  async run({ host, show }, query) {
    if (query === 'on' || query === 'off') {
      host.talk.setTools(query === 'on');
      return show([`Tools are ${query}.`, await nextLine(host)]);
    }
    const known = knownTools(host.pool, host.setUp.settings.exposure).filter(
      ({ hidden }) => hidden === undefined,
    );
    if (query === '')
      return show([await nextLine(host), ...serverLines(host), ...listLines(known)]);
    show(await found(known, query));
  },
};

/** A line for each server, with the way out where it can not be used. */
function serverLines({ pool, setUp }: Pick<Chat, 'pool' | 'setUp'>): string[] {
  if (!setUp.config || pool.servers.length === 0) return [...serverWays];
  return pool.servers.map((server) => `${MARKS[server.state]} ${server.name}: ${stateOf(server)}`);
}

const MARKS: Readonly<Record<ServerStatus['state'], string>> = {
  ready: '●',
  idle: '●',
  connecting: '◐',
  'needs-auth': '?',
  failed: '✗',
  closed: '✗',
};

function stateOf({ state, tools: count, reason, remedy, listedAt }: ServerStatus): string {
  const number = formatCount(count, 'tool');
  if (state === 'ready') return number;
  if (state === 'idle')
    return listedAt === undefined ? 'it has not started' : `${number}, starts when needed`;
  if (state === 'connecting') return listedAt === undefined ? 'starting' : `${number}, starting`;
  const why = reason === undefined ? state : `${reason}.`;
  return `${why} ${remedy ?? ''}`.trim();
}

function listLines(known: readonly KnownTool[]): string[] {
  const shown = linesOf(known.slice(0, MOST));
  const rest = known.length - shown.length;
  return [
    ...shown,
    ...(rest > 0 ? [`… and ${formatCount(rest, 'tool')} more: /tools QUERY searches`] : []),
  ];
}

async function found(known: readonly KnownTool[], query: string): Promise<string[]> {
  // The model's own search: what it finds is found here.
  const { searchWithVectors } = await import('@toolfold/core/internal/vectors.ts');
  const search = await searchWithVectors();
  search.index(
    known.map(({ name, server, description, inputSchema }) => ({
      ...{ key: name, name, group: server, description },
      parameters: parametersOf(inputSchema as JsonSchema),
    })),
  );
  const hits = search.search(query, { limit: HITS, allows: () => true });
  const byName = new Map(known.map((tool) => [tool.name, tool]));
  const lines = linesOf(hits.flatMap(({ key }) => byName.get(key) ?? []));
  const [first] = hits;
  if (!first) return [`No tool fits "${query}".`];
  const doesFit = first.score >= (search.scale?.fits ?? 0);
  return doesFit ? lines : [`Probably no tool fits "${query}". The nearest are:`, ...lines];
}

function linesOf(tools: readonly KnownTool[]): string[] {
  const width = Math.min(MAX_WIDTH, Math.max(0, ...tools.map(({ name }) => name.length)));
  return tools.map(({ name, description }) =>
    `  ${name.padEnd(width)}  ${firstSentence(description, MAX_DESCRIPTION)}`.trimEnd(),
  );
}

const waiting = ({ pool }: Pick<Chat, 'pool'>): string[] =>
  pool.servers.flatMap(({ state, name }) => (state === 'needs-auth' ? [name] : []));

/** `/login`: also for a server whose login was refused before. */
export const logIn: ChatCommand = {
  name: 'login',
  hint: '[server]',
  summary: 'log in to a server that needs it',
  values: waiting,
  async run({ host, show, pick, signal }, given) {
    const { logins } = host;
    const names = waiting(host);
    if (given === '' && names.length === 0) return show(['No server needs a login.']);
    const listed = names.map((value) => ({ value }));
    const name = given || (await pick?.('Log in to', listed));
    if (logins && name !== undefined) return logins.logIn(name, signal);
    if (!pick || !logins) show(names.map((name) => `In a terminal: toolfold login ${name}`));
  },
};
