import { isDeepStrictEqual } from 'node:util';
import { canonicalName, groupSlug } from '@toolfold/core/internal/tools/names';
import {
  type ExposureRules,
  placementOf,
  type RuleList,
  ruleList,
} from '@toolfold/core/internal/tools/registry';
import { type JsonObject, ownProperty } from '@toolfold/core/internal/tools/values';
import { groupOf } from '../../known-tools/index.ts';
import type { ToolfoldConfig } from '../../mcp/index.ts';
import { INVALID_PARAMS, RpcError } from '../front/index.ts';

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

  /** Throws `RpcError` if a request calls a hidden tool. */
  check(method: string, { name }: JsonObject): void {
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
