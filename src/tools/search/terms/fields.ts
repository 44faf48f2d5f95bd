import { splitWords } from '../../near/index.ts';
import type { ToolDocument } from '../contract/index.ts';
import type { WordReader } from './word-reader.ts';

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

/** Reads the words of a document with a bounded amount of work. */
export function readWords(
  document: ToolDocument,
  leadWords: number,
  reader: WordReader,
): DocumentWords {
  const parameters = (document.parameters ?? []).slice(0, MAX_PARAMETERS);
  const names = parameters.map((parameter) => parameter.name).join(' ');
  const texts = parameters.map((parameter) => parameter.description ?? '').join(' ');
  const description = reader.read((document.description ?? '').slice(0, MAX_TEXT));
  return {
    name: reader.read(document.name.slice(0, MAX_IDENTIFIER)),
    group: reader.read(document.group.slice(0, MAX_IDENTIFIER)),
    lead: description.slice(0, leadWords),
    rest: description.slice(leadWords),
    parameterNames: reader.read(names.slice(0, MAX_TEXT)),
    parameterTexts: reader.read(texts.slice(0, MAX_TEXT)),
  };
}

/** The words of a name, as many as are read. */
export function nameWords(name: string, reader?: WordReader): readonly string[] {
  const text = name.slice(0, MAX_IDENTIFIER);
  return reader?.readName(text) ?? splitWords(text);
}

/** Words with a space before each, so that ends compare on word boundaries. */
export function pathOf(words: readonly string[]): string {
  return words.length === 0 ? '' : ` ${words.join(' ')}`;
}
