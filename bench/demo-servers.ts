/** The tool lists of the demo's published MCP servers, which `npm ci` installs. */
import type { DeferredToolGroup, Tool } from '@toolfold/core';
import { startServers } from '../examples/demo/servers.ts';
import { createWorkplace } from '../packages/toolfold/src/demo/demo.ts';

/** The tools of one server, and its group. */
export interface Listing {
  readonly group: DeferredToolGroup;
  readonly tools: readonly Tool[];
}

/** The tool lists of the demo's servers, by server name. */
export type Listings = ReadonlyMap<string, Listing>;

/** Starts the demo's servers, lists their tools, and stops them. Throws if one does not start. */
export async function listServers(signal: AbortSignal): Promise<Listings> {
  await using workplace = await createWorkplace();
  const failures: string[] = [];
  await using servers = await startServers(workplace, (line) => failures.push(line), signal);
  const failed = servers.servers.filter(({ state }) => state !== 'ready');
  if (failed.length > 0) throw new Error(`Not all servers started:\n${failures.join('\n')}`);
  const listed = servers.groups.map(async (group) => {
    const tools = await group.loader({ signal });
    return [group.groupId.slice('mcp:'.length), { group, tools }] as const;
  });
  return new Map(await Promise.all(listed));
}

/** The listed groups. Their tools need no server, and return what `answer` returns. */
export function groupsOf(
  listings: Listings,
  answer: (tool: string) => unknown = () => 'ok',
): DeferredToolGroup[] {
  return [...listings.values()].map(({ group: { resultFormat: _, ...group }, tools }) => ({
    ...group,
    loader: async () =>
      tools.map((tool): Tool => ({ ...tool, execute: async () => answer(tool.name) })),
  }));
}
