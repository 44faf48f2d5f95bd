/** The tools of the demo's published MCP servers. Their calls are answered here. */
import type { DeferredToolGroup, Tool } from '@toolfold/core';
import type { Listings } from '../demo-servers.ts';

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
