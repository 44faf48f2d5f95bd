import type { Explanation, WordMatch } from '../contract/index.ts';
import type { ToolIndex, View } from '../documents/index.ts';
import { FIELDS, type Weights } from '../terms/index.ts';
import type { Ranked } from './ranked.ts';
import type { QueryTerm } from './scorer.ts';

type Field = WordMatch['fields'][number];

const SHOWN: Readonly<Record<(typeof FIELDS)[number], Field>> = {
  name: 'name',
  group: 'group',
  lead: 'description',
  rest: 'description',
  parameterNames: 'parameter names',
  parameterTexts: 'parameter descriptions',
};

/** Says which words of a query a document holds, where, and what each adds to the score. */
export function explain(
  { document, nameMatch, similarity }: Ranked,
  terms: readonly QueryTerm[],
  index: ToolIndex,
  view: View,
  weights: Weights,
  hasVectors: boolean,
): Explanation {
  const found = terms.flatMap((term) => {
    const stem = index.vocabulary.stemNumber(term.known);
    const at = stem === undefined || term.trust === 0 ? -1 : index.stems.find(stem, document);
    if (stem === undefined || at < 0) return [];
    const rarity = view.rarity(view.holders(index.stems, stem));
    const score = (1 - weights.exact) * term.trust * rarity * index.stems.weight(at);
    return [{ term, fields: shownFields(index.stems.fields[at] ?? 0), score }];
  });
  const sum = found.reduce((total, { score }) => total + score, 0);
  return {
    words: found
      .map(({ term: { word, known }, fields, score }) => ({
        word,
        ...(word === known ? {} : { repaired: known }),
        fields,
        share: score / sum,
      }))
      .sort((a, b) => b.share - a.share),
    unknown: terms.filter(({ trust }) => trust === 0).map(({ word }) => word),
    ...(nameMatch === 0 ? {} : { name: nameMatch === 2 ? 'whole' : 'end' }),
    ...(hasVectors ? { similarity } : {}),
  };
}

function shownFields(bits: number): readonly Field[] {
  return [...new Set(FIELDS.flatMap((field, bit) => ((bits >>> bit) & 1 ? [SHOWN[field]] : [])))];
}
