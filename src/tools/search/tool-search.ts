/** What a search may know of a tool; `key` is the caller's own, shown back in hits. */
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

/** Finds tools by what they are for. Any search may stand in, as long as it keeps this contract. */
export interface ToolSearch {
  /** Replaces what is known under these keys. */
  index(documents: readonly ToolDocument[]): void;
  /**
   * Best first, at most `limit`, and only keys that `allows` lets through: a document it refuses
   * must not change the answer in any way. May return nothing. Pure over what was indexed.
   */
  search(
    query: string,
    options: { readonly limit: number; readonly allows: (key: string) => boolean },
  ): readonly SearchHit[];
}
