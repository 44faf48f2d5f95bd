/** The text of a tool for search. `key` belongs to the caller and is returned in hits. */
export interface ToolDocument {
  readonly key: string;
  readonly name: string;
  readonly group: string;
  readonly description?: string;
  readonly parameters?: readonly { readonly name: string; readonly description?: string }[];
}

/** A found tool; scores compare within one search only. */
export interface SearchHit {
  readonly key: string;
  readonly score: number;
}

/**
 * Finds tools by what they are for. Another implementation may replace the built-in one if it
 * keeps this contract.
 */
export interface ToolSearch {
  /** Adds documents; a document with a known key replaces the old one. */
  index(documents: readonly ToolDocument[]): void;
  /**
   * Returns at most `limit` hits, the best first, and only keys that `allows` accepts: a
   * refused document must not change the answer in any way. May return nothing. Depends only
   * on what was indexed.
   */
  search(
    query: string,
    options: { readonly limit: number; readonly allows: (key: string) => boolean },
  ): readonly SearchHit[];
}
