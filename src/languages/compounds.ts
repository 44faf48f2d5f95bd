/** Longer words are not split. */
const LONGEST = 40;
const SHORTEST_PART = 4;
/** The shortest known end of a word whose beginning is unknown. */
const SHORTEST_END = 5;
/** What German puts between the parts: `Rechnungsliste`, `Kundenname`. */
const JOINTS = ['', 's', 'n', 'en', 'es', 'er', 'e'];

interface Part {
  readonly english: string;
  readonly isGerman: boolean;
}

/** What a part of a compound means. */
export interface PartLookup {
  /** The English words for a German word as the table has it. */
  exact(part: string): readonly string[] | undefined;
  /** The English words for a German word in any form. */
  german(part: string): readonly string[] | undefined;
  isEnglish(part: string): boolean;
}

/**
 * Splits a compound into known parts, at least one of them German, and returns their English
 * words: `rechnungsliste` gives `invoice`, `list`, and `videokonferenz` gives `video`,
 * `conference`. If only a German end is known, it gives the words of the end. `undefined` if
 * there is none.
 */
export function splitCompound(word: string, lookup: PartLookup): readonly string[] | undefined {
  if (word.length < 2 * SHORTEST_PART || word.length > LONGEST) return;
  const failed = new Set<number>();
  const splitFrom = (start: number): readonly Part[] | undefined => {
    if (failed.has(start)) return;
    if (start > 0) {
      const last = partOf(word.slice(start), lookup);
      if (last) return [last];
    }
    for (let end = word.length - SHORTEST_PART; end >= start + SHORTEST_PART; end--) {
      const part = partOf(word.slice(start, end), lookup);
      if (!part) continue;
      for (const joint of JOINTS) {
        if (!word.startsWith(joint, end)) continue;
        const rest = splitFrom(end + joint.length);
        if (rest) return [part, ...rest];
      }
    }
    failed.add(start);
    return;
  };
  const parts = splitFrom(0);
  if (parts?.some(({ isGerman }) => isGerman)) return parts.map(({ english }) => english);
  return knownEnd(word, lookup);
}

function knownEnd(word: string, lookup: PartLookup): readonly string[] | undefined {
  for (let start = 3; start <= word.length - SHORTEST_END; start++) {
    const [english] = lookup.exact(word.slice(start)) ?? [];
    if (english !== undefined) return [english];
  }
  return;
}

/** The first meaning alone: each further one would add words for every part. */
function partOf(part: string, lookup: PartLookup): Part | undefined {
  if (part.length < SHORTEST_PART) return;
  const [english] = lookup.german(part) ?? [];
  if (english !== undefined) return { english, isGerman: true };
  return lookup.isEnglish(part) ? { english: part, isGerman: false } : undefined;
}
