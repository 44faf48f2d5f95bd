import { searchWords } from '../near/index.ts';
import { BestHits } from './best-hits.ts';
import { rarity, saturate } from './bm25.ts';
import { type DocumentTerms, pathOf, readDocument } from './document-terms.ts';
import { stem } from './stem.ts';
import { STOP_WORDS } from './stop-words.ts';
import type { ToolSearch } from './tool-search.ts';

const MAX_QUERY_CHARACTERS = 1_000;
/** The part of a score for the share of the query, by rarity, that a document contains. */
const COVERAGE = 0.5;
/** The bonus for all words of a tool's name, in units of their rarity. */
const NAME_COVERAGE = 0.3;

interface Entry {
  readonly key: string;
  /** Its place in a search's columns; -1 once it is replaced. */
  slot: number;
  readonly path: string;
  readonly nameLength: number;
  readonly nameTerms: number;
}

/** That a document holds a term. */
interface Posting {
  readonly entry: Entry;
  readonly weight: number;
  readonly inName: boolean;
}

interface Candidate {
  readonly entry: Entry;
  score: number;
  /** Summed rarity of the query's terms that it holds, and of those in its name. */
  rarity: number;
  nameRarity: number;
  nameTerms: number;
}

/**
 * BM25 with fields over names, groups, descriptions and parameters. A query that spells a name,
 * or its last words, finds it first. Statistics cover the documents that `allows` accepts, so
 * that a hidden one has no effect; for that, each key is checked once in a search. Equal scores
 * are ordered by key. Words alone score below 1, the end of a name 1 to 2, a whole name 2 to 3.
 */
export function createLexicalSearch(): ToolSearch {
  const entries = new Map<string, Entry>();
  const postings = new Map<string, Posting[]>();
  let replaced = 0;

  function add(key: string, document: DocumentTerms): void {
    const { path, nameLength, nameTerms, weights } = document;
    const old = entries.get(key);
    const slot = old?.slot ?? entries.size;
    const entry: Entry = { key, slot, path, nameLength, nameTerms: nameTerms.size };
    if (old !== undefined) {
      old.slot = -1;
      replaced++;
    }
    entries.set(key, entry);
    for (const [term, weight] of weights) {
      const posting = { entry, weight: saturate(weight), inName: nameTerms.has(term) };
      const list = postings.get(term);
      if (list === undefined) postings.set(term, [posting]);
      else list.push(posting);
    }
  }

  function dropReplaced(): void {
    for (const [term, list] of postings) {
      const live = list.filter(({ entry }) => entry.slot >= 0);
      if (live.length === 0) postings.delete(term);
      else postings.set(term, live);
    }
    replaced = 0;
  }

  function candidatesFor(query: string, allows: (key: string) => boolean): Candidate[] {
    const visible = new Uint8Array(entries.size);
    let total = 0;
    for (const { key, slot } of entries.values()) {
      if (!allows(key)) continue;
      visible[slot] = 1;
      total++;
    }
    const bySlot = new Array<Candidate | undefined>(entries.size);
    const found: Candidate[] = [];
    let queryRarity = 0;
    for (const [term, repeats] of queryTerms(query)) {
      const holders = (postings.get(term) ?? []).filter(({ entry }) => visible[entry.slot] === 1);
      if (holders.length === 0) continue;
      const termRarity = rarity(holders.length, total);
      queryRarity += termRarity;
      for (const { entry, weight, inName } of holders) {
        let candidate = bySlot[entry.slot];
        if (candidate === undefined) {
          candidate = { entry, score: 0, rarity: 0, nameRarity: 0, nameTerms: 0 };
          bySlot[entry.slot] = candidate;
          found.push(candidate);
        }
        candidate.score += termRarity * (1 + Math.log(repeats)) * weight;
        candidate.rarity += termRarity;
        if (!inName) continue;
        candidate.nameRarity += termRarity;
        candidate.nameTerms++;
      }
    }
    for (const candidate of found) {
      const nameShare = candidate.nameTerms / candidate.entry.nameTerms;
      if (nameShare > 0) candidate.score += NAME_COVERAGE * nameShare * candidate.nameRarity;
      candidate.score *= 1 - COVERAGE + (COVERAGE * candidate.rarity) / queryRarity;
    }
    return found;
  }

  return {
    index(documents) {
      for (const document of documents) add(document.key, readDocument(document));
      if (replaced > entries.size) dropReplaced();
    },
    search(query, { limit, allows }) {
      const text = query.slice(0, MAX_QUERY_CHARACTERS);
      const path = pathOf(text);
      const best = new BestHits(limit);
      for (const { entry, score } of candidatesFor(text, allows)) {
        best.offer(entry.key, nameMatch(entry, path) + score / (1 + score));
      }
      return best.hits;
    },
  };
}

/** The stems of a query with their counts, without polite words unless there are no others. */
function queryTerms(query: string): Map<string, number> {
  const words = searchWords(query);
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  const terms = new Map<string, number>();
  for (const word of telling.length > 0 ? telling : words) {
    const term = stem(word);
    terms.set(term, (terms.get(term) ?? 0) + 1);
  }
  return terms;
}

/** 2 where the query spells out the whole name, 1 where several words end it, else 0. */
function nameMatch(entry: Entry, path: string): number {
  if (path === '' || !entry.path.endsWith(path)) return 0;
  const words = path.split(' ').length - 1;
  return words >= entry.nameLength ? 2 : words > 1 ? 1 : 0;
}
