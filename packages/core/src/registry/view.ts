import { ToolfoldError } from '../errors.ts';
import type { Exposure, Tool, ToolEntry } from '../tool/index.ts';
import {
  type Addressed,
  byCodePoint,
  listIn,
  matchesTool,
  mayMatchTool,
  ownProperty,
} from '../values/index.ts';

/**
 * The tools that a run may use. `tools`: absent means all, a list of globs means those, `[]` and
 * `false` mean none. `groups` narrows the tools of groups to these groups; the app's own tools
 * are not affected.
 */
export interface Role {
  readonly tools?: readonly string[] | false;
  readonly groups?: readonly string[];
}

/** The one filter that decides catalog, search, load, describe, call, counts and suggestions. */
export interface View {
  /** Identifies the view: equal views share what was rendered for them. */
  readonly key: string;
  readonly allows: (tool: Addressed) => boolean;
  /** Globs of tools that are denied, whatever else the view allows. */
  readonly denies?: readonly string[];
}

export const everything: View = { key: '*', allows: () => true };

/** Returns the view of a role. Throws `unknown-role`, which names the roles that exist. */
export function viewOf(roles: Readonly<Record<string, Role>>, role: string | undefined): View {
  if (role === undefined) return everything;
  const definition = Object.hasOwn(roles, role) ? roles[role] : undefined;
  if (!definition) {
    const names = Object.keys(roles).slice(0, 10).join(', ') || 'none';
    throw new ToolfoldError(
      'unknown-role',
      `There is no role "${role}".`,
      `Defined roles: ${names}.`,
    );
  }
  const { tools, groups } = definition;
  return {
    key: `role:${role}`,
    allows: (tool) =>
      (tools === undefined || (tools !== false && tools.some((glob) => matchesTool(glob, tool)))) &&
      (groups === undefined || tool.groupId === undefined || groups.includes(tool.groupId)),
  };
}

/** The view of some globs, whatever the role. */
export function viewOfGlobs(globs: readonly string[]): View {
  const sorted = sortedGlobs(globs);
  return {
    key: `only:${sorted.join(' ')}`,
    allows: (tool) => sorted.some((glob) => matchesTool(glob, tool)),
  };
}

/** Both must allow: a subagent never gets more than its parent. */
export function intersectViews(parent: View, child: View): View {
  return {
    key: `${parent.key}&${child.key}`,
    allows: (tool) => parent.allows(tool) && child.allows(tool),
    denies: [...(parent.denies ?? []), ...(child.denies ?? [])],
  };
}

/** Allows what the view allows, except what one of the globs may name. */
export function viewWithout(view: View, denied: readonly string[]): View {
  const sorted = sortedGlobs(denied);
  return {
    // Stored conversations hold a hash of this text.
    key: `${view.key}-only:${sorted.join(' ')}`,
    allows: (tool) => view.allows(tool) && !sorted.some((glob) => mayMatchTool(glob, tool)),
    denies: [...(view.denies ?? []), ...sorted],
  };
}

/** Equal lists of globs have equal keys. */
function sortedGlobs(globs: readonly string[]): string[] {
  return [...new Set(globs)].sort(byCodePoint);
}

interface AllowedCache {
  readonly version: number;
  readonly entries: WeakMap<ToolEntry, boolean>;
}

/** Remembers which tools each view allows, as long as neither the names nor the loaded tools change. */
export class VisibilityCache {
  readonly #isVisible: (view: View, entry: ToolEntry) => boolean;
  readonly #version: () => number;
  readonly #answers = new WeakMap<View, AllowedCache>();

  /** `version` grows with each change of names and loaded tools. */
  constructor(isVisible: (view: View, entry: ToolEntry) => boolean, version: () => number) {
    this.#isVisible = isVisible;
    this.#version = version;
  }

  /** The filter of a view. It follows changes: each call of it answers for the present version. */
  of(view: View): (entry: ToolEntry) => boolean {
    return (entry) => {
      const { entries } = this.#of(view);
      const known = entries.get(entry);
      if (known !== undefined) return known;
      const isVisible = this.#isVisible(view, entry);
      entries.set(entry, isVisible);
      return isVisible;
    };
  }

  #of(view: View): AllowedCache {
    const version = this.#version();
    const kept = this.#answers.get(view);
    if (kept?.version === version) return kept;
    const answers = { version, entries: new WeakMap<ToolEntry, boolean>() };
    this.#answers.set(view, answers);
    return answers;
  }
}

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
  entry: Addressed & Partial<Pick<ToolEntry, 'appTool' | 'exposure' | 'meta'>>,
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
