/** The texts of a turn, with a blank line between different ones. */
export function joinedTexts(texts: readonly string[]): string {
  return texts.reduce((all, text) => all + gapBetween(all, text) + text, '');
}

/** The line breaks to insert for a blank line between two texts. */
export function gapBetween(before: string, after: string): string {
  if (before.trim() === '' || after.trim() === '') return '';
  const present = (/\n*$/.exec(before)?.[0].length ?? 0) + (/^\n*/.exec(after)?.[0].length ?? 0);
  return '\n'.repeat(Math.max(0, 2 - present));
}
