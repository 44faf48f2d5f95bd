import { searchWords, splitWords } from '../../names/near/index.ts';
import type { ToolDocument } from '../contract/index.ts';
import type { Vocabulary } from './vocabulary.ts';

/** The most characters of one text that are read, so that a hostile text cannot fill the memory. */
const MAX_IDENTIFIER = 256;
const MAX_TEXT = 4_000;
const MAX_PARAMETERS = 200;

/** The fields of a document. Their positions are the bits of the field sets in the index. */
export const FIELDS = [
  'name',
  'group',
  'lead',
  'rest',
  'parameterNames',
  'parameterTexts',
] as const;
export type FieldName = (typeof FIELDS)[number];

/**
 * The words of a document by field, as numbers. `lead` is the start of the description, `rest` the
 * other words.
 */
export type DocumentWords = Readonly<Record<FieldName, readonly number[]>>;

/** Reads the words of a document with a bounded amount of work. New words are added to the vocabulary. */
export function readWords(
  { name, group, description = '', parameters = [] }: ToolDocument,
  leadWords: number,
  vocabulary: Vocabulary,
): DocumentWords {
  const joined = (most: number, ...texts: readonly string[]) =>
    texts
      .map((one) => one.slice(0, most))
      .join(' ')
      .slice(0, most);
  const first = parameters.slice(0, MAX_PARAMETERS);
  const texts = [
    joined(MAX_TEXT, description),
    joined(MAX_IDENTIFIER, name),
    joined(MAX_IDENTIFIER, group),
    joined(MAX_TEXT, ...first.map((parameter) => parameter.name)),
    joined(MAX_TEXT, ...first.map((parameter) => parameter.description ?? '')),
  ];
  const lists: number[][] = [];
  for (const words of texts.map(searchWords)) lists.push(words.map((word) => vocabulary.add(word)));
  const [described = [], ofName = [], ofGroup = [], parameterNames = [], parameterTexts = []] =
    lists;
  return {
    name: ofName,
    group: ofGroup,
    lead: described.slice(0, leadWords),
    rest: described.slice(leadWords),
    parameterNames,
    parameterTexts,
  };
}

/** The words of a name, as many as are read, with a space before each: ends compare on word boundaries. */
export function pathOf(name: string): string {
  const words = splitWords(name.slice(0, MAX_IDENTIFIER));
  return words.length === 0 ? '' : ` ${words.join(' ')}`;
}
