/** Longer patterns count as hazardous without analysis. */
const MAX_LENGTH = 1_000;

/**
 * Whether matching a regular expression may take time exponential in its input: a repeated group has
 * content that can match in more than one way, because it repeats, is optional or has alternatives.
 * Reports some harmless patterns too. A value that is not a string counts as hazardous.
 */
export function isHazardous(pattern: unknown): boolean {
  if (typeof pattern !== 'string' || pattern.length > MAX_LENGTH) return true;
  // For each open group: whether its content so far can match in more than one way.
  const open: boolean[] = [false];
  let inClass = false;
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern[i];
    if (character === '\\') i++;
    else if (inClass) inClass = character !== ']';
    else if (character === '[') inClass = true;
    else if (character === '(') {
      open.push(false);
      // `(?` opens a special group: the question mark is not a quantifier.
      if (pattern[i + 1] === '?') i++;
    } else if (character === ')') {
      const varies = open.pop() ?? false;
      if (varies && repeats(pattern, i + 1)) return true;
      if (varies) open[open.length - 1] = true;
    } else if (character === '|' || character === '?' || repeats(pattern, i)) {
      open[open.length - 1] = true;
    }
  }
  return false;
}

/** Whether a quantifier at this position allows more than one repetition. */
function repeats(pattern: string, at: number): boolean {
  const character = pattern[at];
  if (character === '*' || character === '+') return true;
  return character === '{' && /^\{(?:[2-9]|\d{2,}|\d+,)/.test(pattern.slice(at, at + 12));
}
