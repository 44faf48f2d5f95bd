import { matchesGlob } from '@toolfold/core/internal/tools/registry/globs';

/** Which tools of a server are offered. Globs are possible. */
export interface ToolLists {
  /** Only these. Left out: all. */
  readonly only?: readonly string[];
  /** None of these, whatever `only` says. */
  readonly without: readonly string[];
}

export const ALL_TOOLS: ToolLists = { without: [] };

/** The tools that both offer. */
export function bothLists(one: ToolLists, other: ToolLists): ToolLists {
  const without = [...one.without, ...other.without];
  if (one.only === undefined || other.only === undefined)
    return { ...pickOnly(one.only ?? other.only), without };
  // Globs have no intersection that can be written, so only equal ones count.
  const { only } = other;
  return { only: one.only.filter((glob) => only.includes(glob)), without };
}

function pickOnly(only: readonly string[] | undefined): Pick<ToolLists, 'only'> {
  return only === undefined ? {} : { only };
}

/** Whether a tool is offered, by the name that its server gives it. */
export function isOffered({ only, without }: ToolLists, tool: string): boolean {
  // Gemini CLI allows a name with arguments behind it.
  const names = (glob: string): boolean => {
    const name = glob.replace(/\(.*$/s, '');
    return name === tool || matchesGlob(name, tool);
  };
  // A list that restricts does so in any case of letters.
  const hides = (glob: string): boolean =>
    matchesGlob(glob.replace(/\(.*$/s, '').toLowerCase(), tool.toLowerCase());
  return (
    (only === undefined || only.some(names)) && !without.some((one) => names(one) || hides(one))
  );
}

/**
 * The rules of `exposure` for a server with these lists of its clients. The last rule that matches wins. A
 * tool that one client hides is hidden: to show it again is easier than to miss it.
 */
export function exposureFor(
  server: string,
  lists: readonly ToolLists[],
): readonly (readonly [glob: string, exposure: 'deferred' | 'hidden'])[] {
  const named = (tool: string): string => `mcp:${server}/${tool}`;
  const limits = lists.flatMap(({ only }) => only ?? []);
  const shown = new Set(limits.filter((tool) => tool !== '*'));
  const isLimited = lists.some(({ only }) => only !== undefined && !only.includes('*'));
  const hidden = new Set(lists.flatMap(({ without }) => without));
  return [
    ...(isLimited ? [[named('*'), 'hidden'] as const] : []),
    ...[...shown].map((tool) => [named(tool), 'deferred'] as const),
    ...[...hidden].map((tool) => [named(tool), 'hidden'] as const),
  ];
}
