import { canonicalName, groupSlug } from '@toolfold/core/internal/tools/names';
import type { DeferredToolGroup, Tool, ToolSummary } from '@toolfold/core/internal/tools/tool';
import { type JsonObject, ownProperty, pick } from '@toolfold/core/internal/tools/values';
import { type KnownTool, knownTools } from '../../known-tools/index.ts';
import type { ServerPool, ToolfoldConfig } from '../../mcp/index.ts';
import { fullName, slugOf, wireName } from './wire-names.ts';

/** A tool that a client may call, with the server and the name there. */
export interface Target {
  readonly server: string;
  readonly bare: string;
  /** The name for clients. */
  readonly name: string;
  readonly listed: JsonObject;
}

/** The tools of a pool under the names that clients see, and the groups of the tool layer. */
export interface Known {
  readonly targets: ReadonlyMap<string, Target>;
  /** Tools by other names that mean one of them: the canonical one, and a bare one that is unique. */
  readonly aliases: ReadonlyMap<string, Target>;
  readonly groups: readonly DeferredToolGroup[];
}

/** Reads what is known of the servers now. Hidden tools are left out everywhere. */
export function readKnown(pool: ServerPool, settings: ToolfoldConfig['settings']): Known {
  const known = knownTools(pool, settings?.exposure);
  const byServer = Map.groupBy(
    known.filter(({ hidden }) => hidden === undefined),
    ({ server }) => server,
  );
  const targets = new Map<string, Target>();
  const aliases = new Map<string, Target>();
  const ambiguous = new Set<string>();
  for (const [server, tools] of byServer) {
    const slug = slugOf(server);
    for (const { bare, listed } of tools) {
      const name = fullName(server, bare);
      if (targets.has(name)) continue;
      const target = { server, bare, name, listed: listed as JsonObject };
      targets.set(name, target);
      aliases.set(canonicalName(slug, bare), target);
      if (aliases.has(bare)) ambiguous.add(bare);
      else aliases.set(bare, target);
    }
  }
  for (const bare of ambiguous) aliases.delete(bare);
  const groups = pool.groups.map((group, at) => {
    const connection = pool.connections[at];
    if (connection?.listing === undefined) return group;
    return shownGroup(group, byServer.get(connection.name) ?? []);
  });
  return { targets, aliases, groups };
}

function shownGroup(group: DeferredToolGroup, tools: readonly KnownTool[]): DeferredToolGroup {
  const slug = groupSlug(group.groupId);
  const marks = new Map(
    tools.map((tool) => [tool.bare, { name: wireName(slug, tool.bare), ...markOf(tool) }]),
  );
  return {
    ...group,
    toolNames: [...marks.values()].map(({ name }) => name),
    toolSummaries: tools.map(
      ({ bare, description, listed }): ToolSummary => ({
        name: bare,
        description,
        ...(listed._meta !== undefined && { meta: listed._meta as JsonObject }),
        ...marks.get(bare),
      }),
    ),
    loader: async (options) => {
      const loaded = await group.loader(options);
      return loaded.flatMap((tool): Tool[] => {
        const mark = marks.get(tool.name);
        return mark ? [{ ...tool, ...mark }] : [];
      });
    },
  };
}

/** What the user's rules say of a tool. The layer itself knows what its server asks for. */
function markOf({ exposure, listed }: KnownTool): Pick<ToolSummary, 'exposure'> {
  const isAsked = ownProperty(listed._meta, 'anthropic/alwaysLoad') === true;
  const byDefault = isAsked ? 'inline' : 'deferred';
  return exposure === byDefault ? {} : pick({ exposure }, 'exposure');
}
