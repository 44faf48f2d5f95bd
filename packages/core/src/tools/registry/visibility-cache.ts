import type { Entry } from '../tool/index.ts';
import type { View } from './view.ts';

interface Answers {
  readonly version: number;
  readonly entries: WeakMap<Entry, boolean>;
}

/** Remembers which tools each view allows, as long as neither the names nor the loaded tools change. */
export class VisibilityCache {
  readonly #isVisible: (view: View, entry: Entry) => boolean;
  readonly #version: () => number;
  readonly #answers = new WeakMap<View, Answers>();

  /** `version` grows with each change of names and loaded tools. */
  constructor(isVisible: (view: View, entry: Entry) => boolean, version: () => number) {
    this.#isVisible = isVisible;
    this.#version = version;
  }

  /** The filter of a view. It follows changes: each call of it answers for the present version. */
  of(view: View): (entry: Entry) => boolean {
    return (entry) => {
      const { entries } = this.#of(view);
      const known = entries.get(entry);
      if (known !== undefined) return known;
      const isVisible = this.#isVisible(view, entry);
      entries.set(entry, isVisible);
      return isVisible;
    };
  }

  #of(view: View): Answers {
    const version = this.#version();
    const kept = this.#answers.get(view);
    if (kept?.version === version) return kept;
    const answers = { version, entries: new WeakMap<Entry, boolean>() };
    this.#answers.set(view, answers);
    return answers;
  }
}
