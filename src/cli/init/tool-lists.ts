import { ownProperty } from '../../tools/values/index.ts';

/** Keys of the tools that a client uses, and of those that it does not use. */
const ONLY = ['includeTools', 'enabledTools', 'tools'];
const WITHOUT = ['excludeTools', 'disabledTools'];

/** Which tools of a server a client uses: only some, without others. Globs are possible. */
export interface ToolLists {
  readonly only: readonly string[];
  readonly without: readonly string[];
}

/** Whether a key of an entry limits the tools, in a form that can be taken over. */
export function isToolList(key: string, value: unknown): boolean {
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'string');
  return isList && [...ONLY, ...WITHOUT].includes(key);
}

/** The tools that an entry of a client names. A list of `*`, or an empty one, limits nothing. */
export function toolLists(entry: unknown): ToolLists {
  const listed = (keys: readonly string[]): string[] =>
    keys.flatMap((key): string[] => {
      const value = ownProperty(entry, key);
      return isToolList(key, value) ? (value as string[]) : [];
    });
  const only = listed(ONLY);
  return { only: only.includes('*') ? [] : only, without: listed(WITHOUT) };
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
  const shown = new Set(lists.flatMap(({ only }) => only));
  const hidden = new Set(lists.flatMap(({ without }) => without));
  return [
    ...(shown.size > 0 ? [[named('*'), 'hidden'] as const] : []),
    ...[...shown].map((tool) => [named(tool), 'deferred'] as const),
    ...[...hidden].map((tool) => [named(tool), 'hidden'] as const),
  ];
}
