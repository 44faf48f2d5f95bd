import { nearestTool } from '@toolfold/core/internal/near-tool.ts';
import { type ExposureRules, placementOf, ruleList } from '@toolfold/core/internal/registry';
import { canonicalName, type Exposure, groupSlug } from '@toolfold/core/internal/tool';
import {
  isRecord,
  type JsonObject,
  matchesTool,
  mayMatchIn,
  mayMatchTool,
  ownProperty,
  plainLine,
} from '@toolfold/core/internal/values';
import type { ToolfoldConfig } from './config/index.ts';
import type { ListedTool } from './connection/index.ts';
import type { ServerConnection } from './server/index.ts';

/** A tool that a server lists, now or in an earlier run. */
export interface KnownTool {
  /** The canonical name, such as `github__create_issue`. */
  readonly name: string;
  readonly server: string;
  readonly groupId: string;
  /** The name that the server uses. */
  readonly bare: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly exposure: Exposure;
  /** Why models may not see it. Absent if they may. */
  readonly hidden?: string;
  readonly listed: ListedTool;
}

/** The tools that are known of the servers, hidden ones included. */
export function knownTools(
  { connections }: { readonly connections: readonly Pick<ServerConnection, 'name' | 'listing'>[] },
  exposure: ExposureRules | undefined,
): KnownTool[] {
  const rules = ruleList(exposure ?? {});
  return connections.flatMap(({ name: server, listing }) => {
    const groupId = groupOf(server);
    const slug = groupSlug(groupId);
    return (listing?.tools ?? []).map((listed): KnownTool => {
      const { name: bare } = listed;
      const description = ownProperty(listed, 'description');
      const inputSchema = ownProperty(listed, 'inputSchema');
      const name = canonicalName(slug, bare);
      const given = ownProperty(listed, '_meta');
      const meta = isRecord(given) ? (given as JsonObject) : undefined;
      const entry = { name, bare, groupId, meta };
      const { exposure, why } = placementOf(entry, undefined, undefined, rules);
      return {
        ...{ name, server, groupId, bare, exposure, listed },
        description: typeof description === 'string' ? description : '',
        inputSchema: isRecord(inputSchema) ? inputSchema : { type: 'object' },
        ...(exposure === 'hidden' ? { hidden: why } : {}),
      };
    });
  });
}

/**
 * The rules of `exposure` that match no tool, with a line about each, once the servers whose tools it may match have listed them.
 * Those of `config` that are disabled or not trusted, or not in the pool, have not.
 */
export function idleRules(
  pool: Parameters<typeof knownTools>[0],
  { servers, disabled = [], untrusted = [], settings }: ConfiguredServers,
): [rule: string, line: string][] {
  const tools = knownTools(pool, undefined);
  const listed = pool.connections.filter(({ listing }) => listing !== undefined);
  const names = new Set([...servers.keys(), ...disabled, ...untrusted]);
  const groups = [...names].map(groupOf);
  for (const { name } of listed) names.delete(name);
  return Object.entries(settings?.exposure ?? {}).flatMap(([glob, exposure]) => {
    const hides = exposure === 'hidden';
    const matches = hides ? mayMatchTool : matchesTool;
    const start = hides ? glob.toLowerCase() : glob;
    const mayCome = [...names].some((server) => {
      const groupId = groupOf(server);
      const [id, slug] = [groupId, `${groupSlug(groupId)}__`].map((text) =>
        hides ? text.toLowerCase() : text,
      );
      return mayMatchIn(start, id ?? '', slug ?? '');
    });
    if (glob === '*' || mayCome || tools.some((tool) => matches(glob, tool))) return [];
    const near = nearestTool(glob, tools, groups);
    const hint = near === undefined ? 'Correct it or remove it.' : `Did you mean ${quoted(near)}?`;
    return [[glob, `The rule ${quoted(glob)} in "exposure" matches no tool. ${hint}`]];
  });
}

/** The servers of a configuration, and those of it that are not used. */
export type ConfiguredServers = Pick<ToolfoldConfig, 'servers' | 'settings'> &
  Partial<Pick<ToolfoldConfig, 'disabled' | 'untrusted'>>;

function quoted(text: string): string {
  return `"${plainLine(text, 120)}"`;
}

/** The id of a server's group. */
export function groupOf(server: string): string {
  return `mcp:${server}`;
}
