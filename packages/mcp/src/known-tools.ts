import { type ExposureRules, placementOf, ruleList } from '@toolfold/core/internal/registry';
import { canonicalName, type Exposure, groupSlug } from '@toolfold/core/internal/tool';
import { isRecord, type JsonObject, ownProperty } from '@toolfold/core/internal/values';
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

/** The id of a server's group. */
export function groupOf(server: string): string {
  return `mcp:${server}`;
}
