/** The tools of the demo's published MCP servers. Their calls are answered here. */
import type { DeferredToolGroup, Tool } from 'toolfold';
import { startServers } from '../../examples/demo/servers.ts';
import { createWorkplace } from '../../src/cli/demo/index.ts';

/** A server's name here, and the demo's server that provides its tools. */
type Named = readonly [name: string, source: string];

const ONE: readonly Named[] = [['filesystem', 'filesystem']];
const THREE: readonly Named[] = [...ONE, ['memory', 'memory'], ['time', 'time']];
const EIGHT: readonly Named[] = [
  ...THREE,
  ['git', 'git'],
  ['everything', 'everything'],
  ['sequential-thinking', 'sequential-thinking'],
  // Two servers run twice, as users run them for a second project.
  ['archive', 'filesystem'],
  ['team-memory', 'memory'],
];

const SETS: ReadonlyMap<number, readonly Named[]> = new Map([
  [1, ONE],
  [3, THREE],
  [8, EIGHT],
]);

export interface Server {
  readonly name: string;
  readonly group: DeferredToolGroup;
  readonly tools: readonly Tool[];
}

/** The tool lists of the demo's servers, by server name. */
export type Listings = ReadonlyMap<string, Pick<Server, 'group' | 'tools'>>;

/** Starts the demo's servers, lists their tools, and stops them. */
export async function listServers(signal: AbortSignal): Promise<Listings> {
  await using workplace = await createWorkplace();
  await using servers = await startServers(workplace, () => {}, signal);
  const listed = servers.groups.map(async (group) => {
    const tools = await group.loader({ signal });
    return [group.groupId.slice('mcp:'.length), { group, tools }] as const;
  });
  return new Map(await Promise.all(listed));
}

/** The given number of servers. Their tools answer with the given result. */
export function serversOf(
  count: number,
  listings: Listings,
  answer: (tool: string) => string,
): Server[] {
  return (SETS.get(count) ?? []).map(([name, source]) => {
    const listing = listings.get(source);
    if (!listing) throw new Error(`The server ${source} did not start.`);
    const tools = listing.tools.map(
      (tool): Tool => ({ ...tool, execute: async () => answer(tool.name) }),
    );
    const { resultFormat: _, ...group } = listing.group;
    return {
      name,
      tools,
      group: { ...group, groupId: `mcp:${name}`, displayName: name, loader: async () => tools },
    };
  });
}
