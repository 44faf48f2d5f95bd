/** Longer words are not split. */
const LONGEST = 40;
const SHORTEST_PART = 4;
/** The shortest known end of a word whose beginning is unknown. */
const SHORTEST_END = 5;
/** What German puts between the parts: `Rechnungsliste`, `Kundenname`. */
const JOINTS = ['', 's', 'n', 'en', 'es', 'er', 'e'];

type Lookup = (part: string) => readonly string[] | undefined;

/**
 * Splits a German compound into known parts and returns their English words: `rechnungsliste`
 * gives `invoice`, `list`. If only the end is known, it gives the words of the end. `undefined`
 * if there is none.
 */
export function splitCompound(word: string, lookup: Lookup): readonly string[] | undefined {
  if (word.length < 2 * SHORTEST_PART || word.length > LONGEST) return;
  const failed = new Set<number>();
  const splitFrom = (start: number): readonly string[] | undefined => {
    if (failed.has(start)) return;
    if (start > 0) {
      const last = partOf(word.slice(start), lookup);
      if (last) return last;
    }
    for (let end = word.length - SHORTEST_PART; end >= start + SHORTEST_PART; end--) {
      const part = partOf(word.slice(start, end), lookup);
      if (!part) continue;
      for (const joint of JOINTS) {
        if (!word.startsWith(joint, end)) continue;
        const rest = splitFrom(end + joint.length);
        if (rest) return [...part, ...rest];
      }
    }
    failed.add(start);
    return;
  };
  return splitFrom(0) ?? knownEnd(word, lookup);
}

function knownEnd(word: string, lookup: Lookup): readonly string[] | undefined {
  for (let start = 3; start <= word.length - SHORTEST_END; start++) {
    const english = partOf(word.slice(start), lookup);
    if (english) return english;
  }
  return;
}

/** The first meaning alone: each further one would add words for every part. */
function partOf(part: string, lookup: Lookup): readonly string[] | undefined {
  if (part.length < SHORTEST_PART) return;
  const english = lookup(part);
  return english && english.length > 0 ? english.slice(0, 1) : undefined;
}
