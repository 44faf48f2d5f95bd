import { searchWords, splitWords } from '../../names/near/index.ts';
import type { ToolDocument } from '../contract/index.ts';
import { type Action, actionOf } from './verbs.ts';
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
  const textOf = (most: number, ...texts: readonly string[]) =>
    texts
      .map((one) => one.slice(0, most))
      .join(' ')
      .slice(0, most);
  const first = parameters.slice(0, MAX_PARAMETERS);
  const texts = [
    textOf(MAX_TEXT, description),
    textOf(MAX_IDENTIFIER, name),
    textOf(MAX_IDENTIFIER, group),
    textOf(MAX_TEXT, ...first.map((parameter) => parameter.name)),
    textOf(MAX_TEXT, ...first.map((parameter) => parameter.description ?? '')),
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

/** What the names of a document say. */
export interface DocumentNames {
  /** Group and name as words with a space before each, for matching names exactly. */
  readonly path: string;
  /** Words in the name, for telling a whole name from the end of one. */
  readonly nameLength: number;
  /** What the name or the first word of the description says that the tool does. */
  readonly action?: Action;
}

export function namesOf(
  document: ToolDocument,
  { name, lead }: DocumentWords,
  vocabulary: Vocabulary,
): DocumentNames {
  const action = actionOf([...name, ...lead.slice(0, 1)].map((word) => vocabulary.word(word)));
  const [ofGroup = [], own = []] = [document.group, document.name].map(cut).map(splitWords);
  const path = joined([...ofGroup, ...own]);
  return { path, nameLength: own.length, ...(action && { action }) };
}

/** The words of a name, as many as are read, with a space before each: ends compare on word boundaries. */
export function pathOf(name: string): string {
  return joined(splitWords(cut(name)));
}

function cut(name: string): string {
  return name.slice(0, MAX_IDENTIFIER);
}

function joined(words: readonly string[]): string {
  return words.map((word) => ` ${word}`).join('');
}
