/** A tool as patterns see it: the wire name, and for a group's tool where it comes from. */
export interface Addressed {
  readonly name: string;
  readonly bare: string;
  readonly groupId: string | undefined;
}

/**
 * Whether a glob (`*` any run, `?` one character) names the tool. For everything that gives rights.
 * A glob names a tool by wire name (`github__create_*`), by its whole group (`mcp:github`), or by
 * both parts (`mcp:github/create_*`). The group's part ends at the last slash, so that a server with
 * a slash in a tool's name cannot pass for another server. A bare name never matches a group's tool.
 * A server must not gain rights by what it calls its tools.
 */
export function matchesTool(pattern: string, tool: Addressed): boolean {
  if (matches(pattern, tool.name)) return true;
  if (tool.groupId === undefined) return false;
  if (matches(pattern, tool.groupId)) return true;
  const slash = pattern.lastIndexOf('/');
  if (slash < 0) return false;
  return (
    matches(pattern.slice(0, slash), tool.groupId) && matches(pattern.slice(slash + 1), tool.bare)
  );
}

/**
 * Whether a glob names the tool in any reading. For everything that takes rights away: no tool may
 * slip past a denial by a slash in its name. True wherever `matchesTool` is.
 */
export function mayMatchTool(pattern: string, tool: Addressed): boolean {
  if (matches(pattern, tool.name)) return true;
  if (tool.groupId === undefined) return false;
  // Group and tool as one text: whichever slash of the pattern stands between the two.
  return matches(pattern, tool.groupId) || matches(pattern, `${tool.groupId}/${tool.bare}`);
}

/**
 * Whether a glob might name some tool of a group in any reading; `prefix` is what the wire names of
 * its tools begin with.
 */
export function mayMatchIn(pattern: string, groupId: string, prefix: string): boolean {
  return (
    matches(pattern, groupId) ||
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

/** Linear in practice and free of backtracking blow-up, whatever the pattern. */
export function matches(pattern: string, text: string): boolean {
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
