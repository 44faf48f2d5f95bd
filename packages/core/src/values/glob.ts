/**
 * What a glob is matched against: the wire name and, for a tool of a group, the group and the
 * bare name.
 */
export interface Addressed {
  readonly name: string;
  readonly bare: string;
  readonly groupId: string | undefined;
}

/**
 * Whether a glob (`*` matches any run, `?` one character) names the tool. Use it for everything
 * that grants rights. A glob names a tool by wire name (`github__create_*`), by its whole group
 * (`mcp:github`), or by both (`mcp:github/create_*`). The group ends at the last slash, so that
 * a server cannot pass for another server with a slash in a tool name. A bare name never matches
 * a tool of a group: a server must not gain rights by the names it chooses.
 */
export function matchesTool(pattern: string, tool: Addressed): boolean {
  if (matchesGlob(pattern, tool.name)) return true;
  if (tool.groupId === undefined) return false;
  if (matchesGlob(pattern, tool.groupId)) return true;
  const slash = pattern.lastIndexOf('/');
  if (slash < 0) return false;
  return (
    matchesGlob(pattern.slice(0, slash), tool.groupId) &&
    matchesGlob(pattern.slice(slash + 1), tool.bare)
  );
}

/**
 * Whether a glob may name the tool, wherever the group ends and in any case of letters. Use it for everything
 * that denies: neither a slash in a tool name nor another case avoids a denial. True wherever `matchesTool` is true.
 */
export function mayMatchTool(pattern: string, { name, bare, groupId }: Addressed): boolean {
  const glob = pattern.toLowerCase();
  const matches = (text: string): boolean => matchesGlob(glob, text.toLowerCase());
  if (matches(name)) return true;
  if (groupId === undefined) return false;
  // Group and tool are matched as one text, so any slash of the pattern may separate them.
  return matches(groupId) || matches(`${groupId}/${bare}`);
}

/**
 * Whether a glob may name some tool of a group. `prefix` is the start of the wire names of its
 * tools.
 */
export function mayMatchIn(pattern: string, groupId: string, prefix: string): boolean {
  return (
    matchesGlob(pattern, groupId) ||
    mayMatchStart(pattern, prefix) ||
    mayMatchStart(pattern, `${groupId}/`)
  );
}

/** Whether a glob matches any text that begins like this. */
function mayMatchStart(pattern: string, start: string): boolean {
  for (let i = 0; i < start.length; i++) {
    if (pattern[i] === '*') return true;
    if (pattern[i] !== '?' && pattern[i] !== start[i]) return false;
  }
  return true;
}

/** Index of the first row whose globs match the texts, each the text at its place; -1 if there is none. */
export function findMatch(rows: readonly (readonly string[])[], texts: readonly string[]): number {
  return rows.findIndex((globs) => globs.every((glob, at) => matchesGlob(glob, texts[at] ?? '')));
}

/** Takes time in proportion to the text for usual patterns and never backtracks exponentially. */
export function matchesGlob(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let mark = 0;
  while (t < text.length) {
    if (
      p < pattern.length &&
      (pattern[p] === '?' || (pattern[p] === text[t] && pattern[p] !== '*'))
    ) {
      p++;
      t++;
    } else if (pattern[p] === '*') {
      star = p++;
      mark = t;
    } else if (star >= 0) {
      p = star + 1;
      t = ++mark;
    } else {
      return false;
    }
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

const loose = new WeakSet<object>();

/** Marks a list whose globs may match no tool: it names servers and tools that many apps do not have. */
export function looseGlobs<T extends readonly string[]>(globs: T): T {
  loose.add(globs);
  return globs;
}

/** Whether each glob of a list is meant to match a tool. */
export function mustMatch(globs: readonly string[]): boolean {
  return !loose.has(globs);
}
