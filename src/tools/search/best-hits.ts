import { byCodePoint } from '../values/index.ts';
import type { SearchHit } from './tool-search.ts';

/** Keeps the best of many hits in order without sorting the rest; equal scores go by key. */
export class BestHits {
  readonly hits: SearchHit[] = [];
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  offer(key: string, score: number): void {
    const { hits } = this;
    let at = 0;
    for (let end = hits.length; at < end; ) {
      const middle = (at + end) >> 1;
      if (isBetter(key, score, hits[middle])) end = middle;
      else at = middle + 1;
    }
    if (at >= this.#limit) return;
    hits.splice(at, 0, { key, score });
    if (hits.length > this.#limit) hits.pop();
  }
}

function isBetter(key: string, score: number, than: SearchHit | undefined): boolean {
  if (than === undefined) return true;
  if (score !== than.score) return score > than.score;
  return byCodePoint(key, than.key) < 0;
}
