import { isDeepStrictEqual } from 'node:util';
import { NESTED_TOO_DEEP } from '@toolfold/core/internal/calls';
import {
  type ExposureRules,
  placementOf,
  type RuleList,
  ruleList,
} from '@toolfold/core/internal/registry';
import {
  canonicalName,
  type DeferredToolGroup,
  groupSlug,
  hashText,
  isLegalName,
  type Tool,
  type ToolSummary,
} from '@toolfold/core/internal/tool';
import { isTooDeep, type JsonObject, ownProperty, pick } from '@toolfold/core/internal/values';
import type { ToolfoldConfig } from '../config/index.ts';
import { INVALID_PARAMS, RpcError } from '../gateway-clients/index.ts';
import { groupOf, type KnownTool, knownTools } from '../known-tools.ts';
import type { ServerPool } from '../pool/index.ts';

/** A tool that a client may call, with the server and the name there. */
export interface ClientTool {
  readonly server: string;
  readonly bare: string;
  /** The name for clients. */
  readonly name: string;
  readonly listed: JsonObject;
}

/** The tools of a pool under the names that clients see, and the groups of the tool layer. */
export interface ClientTools {
  readonly targets: ReadonlyMap<string, ClientTool>;
  /** Tools by other names that mean one of them: the canonical one, and a bare one that is unique. */
  readonly aliases: ReadonlyMap<string, ClientTool>;
  readonly groups: readonly DeferredToolGroup[];
}

/** Reads what is known of the servers now. Hidden tools are left out everywhere. */
export function readKnown(pool: ServerPool, settings: ToolfoldConfig['settings']): ClientTools {
  const known = knownTools(pool, settings?.exposure);
  const byServer = Map.groupBy(
    known.filter(({ hidden }) => hidden === undefined),
    ({ server }) => server,
  );
  const targets = new Map<string, ClientTool>();
  const aliases = new Map<string, ClientTool>();
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

/** The longest name that still fits into 64 characters after `mcp__toolfold__`, which some clients add. */
const MAX_NAME = 49;
const HASH_DIGITS = 8;

/** The name of a tool under its group for clients: its own if that is legal and short enough. */
function wireName(slug: string, bare: string): string {
  const room = MAX_NAME - slug.length - 2;
  if (isLegalName(bare) && bare.length <= room) return bare;
  const legal = bare.toWellFormed().replace(/[^A-Za-z0-9_-]/gu, '_');
  return `${legal.slice(0, room - HASH_DIGITS - 1)}_${hashText(`${slug}\0${bare}`, HASH_DIGITS)}`;
}

/** What the names of a server's tools begin with. */
export function slugOf(server: string): string {
  return groupSlug(`mcp:${server}`);
}

/** The whole name of a server's tool or prompt for clients, such as `github__create_issue`. */
export function fullName(server: string, bare: string): string {
  const slug = slugOf(server);
  return canonicalName(slug, wireName(slug, bare));
}

/**
 * The tools of the one server of `passthrough`. The user's rules hide tools there too. A tool that its server keeps from
 * models is passed on: the client may need it for an app.
 */
export class PassedTools {
  readonly #groupId: string;
  readonly #slug: string;
  readonly #rules: RuleList;

  constructor(server: string, rules: ExposureRules = {}) {
    this.#groupId = groupOf(server);
    this.#slug = groupSlug(this.#groupId);
    this.#rules = ruleList(rules);
  }

  #isHidden(tool: unknown): boolean {
    // A server may read a name that is no text as a text.
    const bare = String(tool);
    const entry = { name: canonicalName(this.#slug, bare), bare, groupId: this.#groupId };
    const { exposure } = placementOf(entry, undefined, undefined, this.#rules);
    return exposure === 'hidden';
  }

  /** The tool of this name in a list of the server; undefined if it is hidden. */
  find<TOOL extends { readonly name: string }>(
    listed: readonly TOOL[],
    tool: string,
  ): TOOL | undefined {
    return this.#isHidden(tool) ? undefined : listed.find(({ name }) => name === tool);
  }

  /** Throws `RpcError` if a request calls a hidden tool, or has parameters that no request can carry. */
  check(method: string, params: JsonObject): void {
    if (isTooDeep(params)) throw new RpcError(INVALID_PARAMS, NESTED_TOO_DEEP);
    const { name } = params;
    if (method === 'tools/call' && this.#isHidden(name))
      throw new RpcError(INVALID_PARAMS, `Unknown tool: ${String(name).slice(0, 80)}`);
  }

  /** A result without hidden tools. One that has none stays the same object. */
  shown(method: string, result: JsonObject): JsonObject {
    const tools = ownProperty(result, 'tools');
    if (method !== 'tools/list' || !Array.isArray(tools)) return result;
    const shown = tools.filter((tool) => !this.#isHidden(ownProperty(tool, 'name')));
    return shown.length === tools.length ? result : { ...result, tools: shown };
  }
}

export type ListKind = 'tools' | 'prompts' | 'resources';

type Config = Pick<ToolfoldConfig, 'servers' | 'settings'>;

/** The lists of `passthrough` that another configuration changes, which no server tells. */
export function changedLists(before: Config, after: Config): readonly ListKind[] {
  if (!isDeepStrictEqual(before.servers, after.servers)) return ['tools', 'prompts', 'resources'];
  const rules = [before, after].map(({ settings }) => Object.entries(settings?.exposure ?? {}));
  return isDeepStrictEqual(rules[0], rules[1]) ? [] : ['tools'];
}
