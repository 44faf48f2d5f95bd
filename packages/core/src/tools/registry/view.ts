import { ToolfoldError } from '../../errors.ts';
import { byCodePoint } from '../values/index.ts';
import { type Addressed, matchesTool, mayMatchTool } from './globs/index.ts';

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
