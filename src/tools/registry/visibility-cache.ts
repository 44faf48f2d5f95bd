import type { View } from '../access/index.ts';
import type { Entry } from '../tool/index.ts';

interface Seen {
  readonly version: number;
  readonly entries: Map<Entry, boolean>;
}

/**
 * Remembers which tools each view allows, as long as neither the names nor the loaded tools
 * change.
 */
export class VisibilityCache {
  readonly #visibleTo: (view: View) => (entry: Entry) => boolean;
  readonly #seen = new WeakMap<View, Seen>();

  constructor(visibleTo: (view: View) => (entry: Entry) => boolean) {
    this.#visibleTo = visibleTo;
  }

  of(view: View, version: number): (entry: Entry) => boolean {
    const kept = this.#seen.get(view);
    const seen = kept?.version === version ? kept : { version, entries: new Map() };
    this.#seen.set(view, seen);
    const isVisible = this.#visibleTo(view);
    return (entry) => {
      const known = seen.entries.get(entry) ?? isVisible(entry);
      seen.entries.set(entry, known);
      return known;
    };
  }
}
