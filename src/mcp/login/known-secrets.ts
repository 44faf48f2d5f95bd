import { stripControls } from '../controls/index.ts';
import { redact, secretTexts } from '../secrets/index.ts';

/** Maximum remembered values. A refresh adds two. */
const MAX_VALUES = 40;

/**
 * The secrets of one server: those of its entry, and the tokens and codes that were received. `texts`
 * is one list that changes in place, so that a transport always removes the current ones.
 */
export class KnownSecrets {
  readonly texts: string[];
  readonly #ofEntry: readonly string[];
  #values: string[] = [];

  constructor(ofEntry: readonly string[]) {
    this.#ofEntry = ofEntry;
    this.texts = [...ofEntry];
  }

  /** Adds values. The oldest are forgotten. */
  add(values: Iterable<unknown>): void {
    const fresh = [...values].filter((value) => typeof value === 'string' && value !== '');
    const added = (fresh as string[]).filter((value) => !this.#values.includes(value));
    if (added.length === 0) return;
    this.#values = [...this.#values, ...added].slice(-MAX_VALUES);
    const texts = new Set([...this.#ofEntry, ...secretTexts(this.#values)]);
    this.texts.splice(0, this.texts.length, ...[...texts].sort((a, b) => b.length - a.length));
  }

  /** The text on one line, without secrets and terminal escapes. */
  hide(text: string): string {
    return redact(stripControls(text).replace(/\s+/g, ' '), this.texts);
  }
}
