import type { Entry, Exposure, Tool } from '../tool/index.ts';
import { isRecord, own } from '../values/index.ts';
import { matchesTool, mayMatchTool } from './glob.ts';

/** What a server may put in front of the model unasked, per server, in tokens. */
export const ALWAYS_LOAD_TOKENS = 2_000;

/**
 * User rules by glob; of those that match a tool, the last one written wins. `hidden` takes away, so
 * it goes by `mayMatchTool`; the others go by `matchesTool`.
 */
export type ExposureRules = Readonly<Record<string, Exposure>>;

export interface Placement {
  readonly exposure: Exposure;
  /** Who decided, in words, for `explain`. */
  readonly why: string;
  /** Who decided: the user or the tool's owner, its server (bounded), or nobody. */
  readonly by: 'choice' | 'server' | 'default';
}

/** Rules in the order in which they are tried. */
export type RuleList = readonly (readonly [pattern: string, exposure: Exposure])[];

export function ruleList(rules: ExposureRules): RuleList {
  return Object.entries(rules).reverse();
}

const OWN: Placement = { exposure: 'inline', why: "the app's own tool", by: 'default' };
const GROUPED: Placement = { exposure: 'deferred', why: 'belongs to a group', by: 'default' };

/**
 * Where a tool goes: the user's rules, then the tool's own mark, a server that keeps it from models,
 * the mark on its group, a server that wants it inline.
 */
export function placementOf(
  entry: Entry,
  tool: Tool | undefined,
  groupExposure: Exposure | undefined,
  rules: RuleList,
): Placement {
  for (const [pattern, exposure] of rules) {
    const names = exposure === 'hidden' ? mayMatchTool : matchesTool;
    if (names(pattern, entry)) return { exposure, why: `rule "${pattern}"`, by: 'choice' };
  }
  const marked = tool?.exposure ?? entry.exposure;
  if (marked) return { exposure: marked, why: 'marked on the tool', by: 'choice' };
  const meta = tool?.meta ?? entry.meta;
  if (isAppOnly(meta))
    return { exposure: 'hidden', why: 'its server keeps it from models', by: 'server' };
  if (groupExposure) return { exposure: groupExposure, why: 'marked on the group', by: 'choice' };
  if (own(meta, 'anthropic/alwaysLoad') === true) {
    return { exposure: 'inline', why: 'its server asks for it', by: 'server' };
  }
  return entry.groupId === undefined ? OWN : GROUPED;
}

/** MCP Apps: `_meta.ui.visibility` of `["app"]` alone means that no model may see the tool. */
function isAppOnly(meta: unknown): boolean {
  const ui = own(meta, 'ui');
  const visibility = isRecord(ui) ? own(ui, 'visibility') : undefined;
  return Array.isArray(visibility) && visibility.length === 1 && visibility[0] === 'app';
}
