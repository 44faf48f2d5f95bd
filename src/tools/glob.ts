/** A tool as patterns see it: the wire name, and for a group's tool where it comes from. */
export interface Addressed {
  readonly name: string;
  readonly bare: string;
  readonly groupId: string | undefined;
}

/**
 * Whether a glob (`*` any run, `?` one character) names the tool: by wire name
 * (`github__create_*`), by group (`mcp:github`), or by both (`mcp:github/create_*`). A bare name
 * never matches a group's tool: a server must not gain rights by what it calls its tools.
 */
export function matchesTool(pattern: string, tool: Addressed): boolean {
  if (matches(pattern, tool.name)) return true;
  if (tool.groupId === undefined) return false;
  return matches(pattern, tool.groupId) || matches(pattern, `${tool.groupId}/${tool.bare}`);
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
