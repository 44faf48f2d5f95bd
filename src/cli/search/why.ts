import type { Explanation } from '../../tools/search/index.ts';
import { share } from '../terminal/index.ts';

/** The reasons as one line, the strongest first. */
export function whyText({ words, unknown, name, similarity }: Explanation): string {
  return [
    ...(name === 'whole' ? ['its whole name'] : name === 'end' ? ['the end of its name'] : []),
    ...words.map(({ word, repaired, fields, share: part }) => {
      const read = repaired === undefined ? word : `${word} (read as ${repaired})`;
      return `${read} in ${fields.join(', ')}: ${share(part)}`;
    }),
    ...(similarity === undefined ? [] : [`similarity in meaning: ${similarity.toFixed(2)}`]),
    ...(unknown.length > 0 ? [`in no tool: ${unknown.join(', ')}`] : []),
  ].join('; ');
}
