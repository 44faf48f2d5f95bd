import type { Explanation, WordMatch } from '../contract/index.ts';
import type { ToolIndex } from '../documents/index.ts';
import { FIELDS, type Weights } from '../terms/index.ts';
import type { Ranked } from './ranked.ts';
import type { RankedQuery } from './ranking.ts';

type Field = WordMatch['fields'][number];

const SHOWN: Readonly<Record<(typeof FIELDS)[number], Field>> = {
  name: 'name',
  group: 'group',
  lead: 'description',
  rest: 'description',
  parameterNames: 'parameter names',
  parameterTexts: 'parameter descriptions',
};

/** Says which words of a query a document contains, where, and what each adds to the score. */
export function explain(
  { position, nameMatch, similarity, doesOther }: Ranked,
  { terms, lookup, view }: RankedQuery,
  { stems }: ToolIndex,
  weights: Weights,
  hasVectors: boolean,
): Explanation {
  const found = terms.flatMap((term) => {
    if (term.stem < 0 || term.trust === 0) return [];
    const at = lookup.places(stems, term.stem)[position] ?? -1;
    if (at < 0) return [];
    const idf = view.idf(view.documentFrequency(stems, term.stem));
    const score = (1 - weights.exact) * term.trust * idf * stems.weight(at);
    return [{ term, fields: shownFields(stems.fields[at] ?? 0), score }];
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
    ...(doesOther ? { doesOther } : {}),
  };
}

function shownFields(bits: number): readonly Field[] {
  return [...new Set(FIELDS.flatMap((field, bit) => ((bits >>> bit) & 1 ? [SHOWN[field]] : [])))];
}
