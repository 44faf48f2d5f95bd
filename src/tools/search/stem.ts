const ENDINGS = ['ing', 'ion', 'ed', 'ly'];

/**
 * Removes the most common English endings from a lower-case word, so that `issues`, `creating`
 * and `creation` match `issue` and `create`. It is light on purpose: a wrong match costs more
 * than a missed one, and longer lists of endings found no more. Words with other than plain
 * English letters are not changed.
 */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  let root = withoutPlural(word);
  for (const ending of ENDINGS) {
    const rest = root.slice(0, -ending.length);
    if (root.endsWith(ending) && rest.length > 2 && /[aeiouy]/.test(rest)) {
      root = rest;
      break;
    }
  }
  if (/([^aeiouylsz])\1$/.test(root)) root = root.slice(0, -1); // running, run
  if (root.length > 3 && root.endsWith('e')) root = root.slice(0, -1);
  return root.length > 2 && root.endsWith('y') ? `${root.slice(0, -1)}i` : root;
}

function withoutPlural(word: string): string {
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  if (/(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2);
  return /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}
