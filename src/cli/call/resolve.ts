import { ToolfoldError } from '../../errors.ts';
import type { ConnectionState, ServerPool, ToolfoldConfig } from '../../mcp/index.ts';
import { groupSlug } from '../../tools/names/index.ts';
import { nearNames } from '../../tools/names/near/index.ts';
import { groupOf, type KnownTool, knownTools } from '../servers/known-tools/index.ts';
import type { CommandContext } from '../terminal/index.ts';

/** The most names that an error shows. */
const MOST_NAMES = 5;

/** The servers whose tools a canonical name or `server/tool` may mean. */
export function addressedServers(name: string, servers: Iterable<string>): string[] {
  return [...servers].filter((server) =>
    prefixesOf(server).some((prefix) => name.startsWith(prefix)),
  );
}

function prefixesOf(server: string): string[] {
  const groupId = groupOf(server);
  return [`${groupSlug(groupId)}__`, `${server}/`, `${groupId}/`];
}

/**
 * The tool of a name, as its server lists it now: the server is started. Throws `invalid-option` if no
 * tool or several tools have the name, and `connection-failed` if the server cannot be used.
 */
export async function resolveTool(
  name: string,
  pool: ServerPool,
  config: ToolfoldConfig,
  { signal }: Pick<CommandContext, 'signal'>,
): Promise<KnownTool> {
  const known = (): readonly KnownTool[] => knownTools(pool, config.settings?.exposure);
  const servers = pool.connections.map((connection) => connection.name);
  const addressed = addressedServers(name, servers);
  // A server that is still starting may have the tool.
  if (meantTools(name, known()).length === 0 && addressed.length === 0)
    await pool.ready({ signal });
  const cached = meantTools(name, known());
  if (cached.length > 1) throw ambiguous(name, cached);
  const [first] = cached;
  const wanted = first === undefined ? addressed : [first.server];
  const states = await Promise.all(
    wanted.map(async (server) => [server, await pool.connection(server)?.start(signal)] as const),
  );
  const failed = states.filter(([, state]) => state?.kind !== 'ready');
  const meant = meantTools(name, known());
  if (meant.length > 1) throw ambiguous(name, meant);
  const [tool] = meant;
  // A failure says more than that the tool is not known.
  for (const [server, state] of failed) {
    if (tool === undefined || tool.server === server) throw unusable(server, state);
  }
  // The server may have dropped the tool, and another one may have a tool of this name.
  if (tool === undefined || !wanted.includes(tool.server)) {
    throw unknown(name, known(), pool, config);
  }
  return tool;
}

/** The tools that a name means. Canonical names come first, then `server/tool`, then bare names. */
function meantTools(name: string, tools: readonly KnownTool[]): readonly KnownTool[] {
  const forms: ((tool: KnownTool) => boolean)[] = [
    (tool) => tool.name === name,
    ({ server, groupId, bare }) => name === `${server}/${bare}` || name === `${groupId}/${bare}`,
    ({ bare }) => bare === name,
  ];
  for (const isMeant of forms) {
    const meant = tools.filter(isMeant);
    if (meant.length > 0) return meant;
  }
  return [];
}

function unusable(server: string, state: ConnectionState | undefined): ToolfoldError {
  const failure =
    state?.kind === 'failed' || state?.kind === 'needs-auth'
      ? state
      : { reason: 'it could not be started', remedy: 'Try again.' };
  const { reason, remedy } = failure;
  return new ToolfoldError(
    'connection-failed',
    `The MCP server ${server} cannot be used: ${reason}.`,
    remedy,
  );
}

function ambiguous(name: string, tools: readonly KnownTool[]): ToolfoldError {
  return new ToolfoldError(
    'invalid-option',
    `${tools.length} tools are named ${JSON.stringify(name)}.`,
    `Give one of: ${listed(tools.map((tool) => tool.name))}.`,
  );
}

function unknown(
  name: string,
  tools: readonly KnownTool[],
  pool: ServerPool,
  { disabled }: ToolfoldConfig,
): ToolfoldError {
  const [off] = addressedServers(name, disabled);
  if (off !== undefined) {
    return new ToolfoldError(
      'invalid-option',
      `The server ${off} is disabled in the configuration.`,
      'Remove "disabled" from its entry.',
    );
  }
  const visible = tools.filter(({ hidden }) => hidden === undefined);
  const near = nearNames(
    name.replace(/^mcp:/, '').replace('/', '__'),
    visible.map((tool) => tool.name),
    MOST_NAMES,
  );
  const missing = pool.servers.filter(({ listedAt }) => listedAt === undefined);
  const notKnown =
    missing.length === 0
      ? ''
      : ` The tools of these servers are not known: ${listed(missing.map((server) => server.name))}.`;
  return new ToolfoldError(
    'invalid-option',
    `There is no tool ${JSON.stringify(name)}.${notKnown}`,
    near.length === 0
      ? 'See the names with: toolfold list. List them again with: toolfold list --refresh'
      : `Did you mean ${near.join(', ')}?`,
  );
}

function listed(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return `${names.slice(0, MOST_NAMES).join(', ')}${more}`;
}
