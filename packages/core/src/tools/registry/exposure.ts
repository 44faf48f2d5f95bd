import type { Entry, Exposure, Tool } from '../tool/index.ts';
import { listIn, ownProperty } from '../values/index.ts';
import { type Addressed, matchesTool, mayMatchTool } from './globs/index.ts';

/** The most tokens of schemas that one server may declare inline by itself. */
export const ALWAYS_LOAD_TOKENS = 2_000;

/**
 * Rules of the user, by glob. The last rule that matches a tool wins. `hidden` denies, so it
 * matches by `mayMatchTool`; the other values match by `matchesTool`.
 */
export type ExposureRules = Readonly<Record<string, Exposure>>;

export interface Placement {
  readonly exposure: Exposure;
  /** The reason, as `explain` shows it. */
  readonly why: string;
  /**
   * `choice`: the user or the owner of the tool. `server`: its server, within a limit.
   * `default`: nobody.
   */
  readonly by: 'choice' | 'server' | 'default';
}

/** Rules in the order in which they are tried. */
export type RuleList = readonly (readonly [pattern: string, exposure: Exposure])[];

export function ruleList(rules: ExposureRules): RuleList {
  return Object.entries(rules).reverse();
}

/** Whether such a tool is deferred depends on the strategy and on its size. */
const OWN: Placement = { exposure: 'inline', why: "the app's own tool", by: 'default' };
const GROUPED: Placement = { exposure: 'deferred', why: 'belongs to a group', by: 'default' };

/**
 * Decides the exposure of a tool. The first of these that says something wins: the user's rules (only
 * `hidden` applies to a tool that cannot be deferred), the tool's own setting, a server that hides it
 * from models, its group's setting, a server that wants it inline.
 */
export function placementOf(
  entry: Addressed & Partial<Pick<Entry, 'appTool' | 'exposure' | 'meta'>>,
  tool: Tool | undefined,
  groupExposure: Exposure | undefined,
  rules: RuleList,
): Placement {
  const must = entry.appTool?.inlineBecause;
  for (const [pattern, exposure] of rules) {
    const names = exposure === 'hidden' ? mayMatchTool : matchesTool;
    if (!names(pattern, entry)) continue;
    if (must !== undefined && exposure !== 'hidden') break;
    return { exposure, why: `rule "${pattern}"`, by: 'choice' };
  }
  if (must !== undefined) return { exposure: 'inline', why: must, by: 'choice' };
  const marked = tool?.exposure ?? entry.exposure;
  if (marked) return { exposure: marked, why: 'marked on the tool', by: 'choice' };
  const meta = tool?.meta ?? entry.meta;
  if (isAppOnly(meta))
    return { exposure: 'hidden', why: 'its server keeps it from models', by: 'server' };
  if (groupExposure) return { exposure: groupExposure, why: 'marked on the group', by: 'choice' };
  if (ownProperty(meta, 'anthropic/alwaysLoad') === true) {
    return { exposure: 'inline', why: 'its server asks for it', by: 'server' };
  }
  return entry.groupId === undefined ? OWN : GROUPED;
}

/** MCP Apps: `_meta.ui.visibility` of `["app"]` alone means that no model may see the tool. */
export function isAppOnly(meta: unknown): boolean {
  const visibility = listIn(ownProperty(meta, 'ui'), 'visibility');
  return visibility.length === 1 && visibility[0] === 'app';
}
