import type { JsonObject } from '../../tools/values/index.ts';
import type { Entry, NewEntry, SessionRecord } from './entry.ts';
import { takenId } from './refusals.ts';
import type { SessionHit } from './store.ts';
import { comparable, excerptOf, matches, termsOf } from './words.ts';

interface Kept extends Omit<NewEntry, 'body'> {
  /** JSON, so that later changes of the object change nothing here. */
  readonly json: string;
  /** The addresses of the texts that were given with it. */
  readonly addresses: readonly string[];
}

/** The tree of entries of a store in memory, and their texts. */
export class MemoryEntries {
  /** By id, in the order of their addition. */
  #entries = new Map<string, Kept>();
  #texts = new Map<string, string>();

  get(id: string): Pick<Entry, 'id' | 'seq' | 'at'> | undefined {
    return this.#entries.get(id);
  }

  text(address: string): string | undefined {
    return this.#texts.get(address);
  }

  /** Adds all entries or none. The texts are kept as long as the first of them. */
  add(added: readonly NewEntry[], texts: ReadonlyMap<string, string>): void {
    const kept = new Map<string, Kept>();
    for (const { body, ...entry } of added) {
      if (this.#entries.has(entry.id) || kept.has(entry.id)) throw takenId('entry', entry.id);
      const addresses = kept.size === 0 ? [...texts.keys()] : [];
      kept.set(entry.id, { ...entry, json: JSON.stringify(body), addresses });
    }
    for (const [address, text] of texts) this.#texts.set(address, text);
    for (const [id, entry] of kept) this.#entries.set(id, entry);
  }

  /** The entries after the number `after` up to a leaf. */
  path(leaf: string | null, after: number): readonly Entry[] {
    return this.#upwards(leaf, after)
      .reverse()
      .map(({ id, parent, seq, kind, json, at }) => {
        const body: JsonObject = JSON.parse(json);
        return { id, parent, seq, kind, body, at };
      });
  }

  /** Removes the entries that no leaf follows, and their texts. */
  keepOnly(leaves: readonly (string | null)[]): void {
    const kept = new Set(leaves.flatMap((leaf) => this.#upwards(leaf, 0)));
    this.#entries = new Map([...this.#entries].filter(([, entry]) => kept.has(entry)));
    const used = new Set([...kept].flatMap(({ addresses }) => addresses));
    this.#texts = new Map([...this.#texts].filter(([address]) => used.has(address)));
  }

  /** The newest entries whose words match, each in the oldest of the sessions that share it. */
  search(query: string, sessions: readonly SessionRecord[], limit: number): readonly SessionHit[] {
    const terms = comparable(query);
    const sessionOf = new Map<Kept, string>();
    for (const { id, leaf } of sessions) {
      for (const entry of this.#upwards(leaf, 0)) {
        if (!sessionOf.has(entry)) sessionOf.set(entry, id);
      }
    }
    const hits: SessionHit[] = [];
    for (const entry of [...this.#entries.values()].reverse()) {
      const { seq, words = '' } = entry;
      const session = sessionOf.get(entry);
      if (hits.length >= limit) break;
      if (session === undefined || !matches(new Set(comparable(words)), terms)) continue;
      hits.push({ session, seq, excerpt: excerptOf(words, termsOf(query)) });
    }
    return hits;
  }

  #upwards(leaf: string | null, after: number): Kept[] {
    const path: Kept[] = [];
    for (let entry = this.#at(leaf); entry && entry.seq > after; entry = this.#at(entry.parent)) {
      path.push(entry);
    }
    return path;
  }

  #at(id: string | null): Kept | undefined {
    return id === null ? undefined : this.#entries.get(id);
  }
}
