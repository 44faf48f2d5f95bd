/** An ending and what may stand in its place in a simpler form of the word. */
const ENDINGS: readonly (readonly [ending: string, ...instead: string[]])[] = [
  ['ies', 'y'],
  ['es', '', 'e'],
  ['s', ''],
  ['ied', 'y'],
  ['ed', '', 'e'],
  ['ing', '', 'e'],
  ['er', '', 'e'],
  ['ers', '', 'e'],
  ['ly', ''],
  ['tion', 'te', 't'],
];
const DOUBLES = new Set(['ed', 'ing', 'er']);
const SHORTEST_STEM = 3;
const LONGEST_WORD = 40;

/**
 * The forms to look up where a table does not know a word, the likeliest first: `geocoders` may be
 * known as `geocoder` or `geocode`. Training uses the same list (`training/texts.py`).
 */
export function simplerForms(word: string): string[] {
  if (word.length > LONGEST_WORD) return [];
  return ENDINGS.flatMap(([ending, ...instead]) => {
    if (!word.endsWith(ending)) return [];
    const stem = word.slice(0, -ending.length);
    if (stem.length < SHORTEST_STEM) return [];
    const forms = instead.map((replacement) => stem + replacement);
    const isDouble = DOUBLES.has(ending) && stem.at(-1) === stem.at(-2);
    return isDouble ? [...forms, stem.slice(0, -1)] : forms;
  });
}
