import { share } from '../terminal/index.ts';

/** Why a tool was found, as far as the search says it. */
export interface Why {
  readonly words: readonly {
    readonly word: string;
    /** The word that the tools have instead of a mistyped one. */
    readonly repaired?: string;
    readonly fields: readonly string[];
    /** The share of the score, from 0 to 1. */
    readonly share: number;
  }[];
  /** Words of the query that no tool has. */
  readonly unknown: readonly string[];
  /** Whether the query is the whole name or its end. */
  readonly name?: 'whole' | 'end';
  /** The similarity in meaning, from -1 to 1. */
  readonly similarity?: number;
}

/** The reasons as one line, the strongest first. */
export function whyText({ words, unknown, name, similarity }: Why): string {
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
