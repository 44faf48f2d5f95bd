import { searchWords, splitWords } from '../near/index.ts';
import { addField, type Field } from './bm25.ts';
import { stem } from './stem.ts';
import type { ToolDocument } from './tool-search.ts';

/**
 * Weights after common practice for tools. The first words of a description say what the tool is
 * for.
 */
const NAME: Field = { weight: 3, usualLength: 3 };
const GROUP: Field = { weight: 2, usualLength: 1.5 };
const DESCRIPTION_LEAD: Field = { weight: 1, usualLength: 15 };
const DESCRIPTION_REST: Field = { weight: 0.5, usualLength: 15 };
const PARAMETER_NAMES: Field = { weight: 0.6, usualLength: 4 };
const PARAMETER_DESCRIPTIONS: Field = { weight: 0.3, usualLength: 20 };

const LEAD_WORDS = 20;
/** The most characters of one text that are read, so that a hostile text cannot fill the memory. */
const MAX_IDENTIFIER = 256;
const MAX_TEXT = 4_000;
const MAX_PARAMETERS = 200;

/** A document as the index keeps it. */
export interface DocumentTerms {
  readonly weights: ReadonlyMap<string, number>;
  readonly nameTerms: ReadonlySet<string>;
  /** Words in the name, for telling a whole name from the end of one. */
  readonly nameLength: number;
  /** Group and name as words with a space before each, for matching names exactly. */
  readonly path: string;
}

function termsOf(text: string): string[] {
  return searchWords(text).map(stem);
}

/** Words with a space before each, so that ends compare on word boundaries. */
export function pathOf(...texts: readonly string[]): string {
  return texts
    .flatMap(splitWords)
    .map((word) => ` ${word}`)
    .join('');
}

/** Reads a document into weighted terms with a bounded amount of work. */
export function readDocument(document: ToolDocument): DocumentTerms {
  const name = document.name.slice(0, MAX_IDENTIFIER);
  const group = document.group.slice(0, MAX_IDENTIFIER);
  const description = termsOf((document.description ?? '').slice(0, MAX_TEXT));
  const parameters = (document.parameters ?? []).slice(0, MAX_PARAMETERS);
  const parameterNames = parameters.map((parameter) => parameter.name).join(' ');
  const parameterTexts = parameters.map((parameter) => parameter.description ?? '').join(' ');

  const weights = new Map<string, number>();
  addField(weights, termsOf(name), NAME);
  addField(weights, termsOf(group), GROUP);
  addField(weights, description.slice(0, LEAD_WORDS), DESCRIPTION_LEAD);
  addField(weights, description.slice(LEAD_WORDS), DESCRIPTION_REST);
  addField(weights, termsOf(parameterNames.slice(0, MAX_TEXT)), PARAMETER_NAMES);
  addField(weights, termsOf(parameterTexts.slice(0, MAX_TEXT)), PARAMETER_DESCRIPTIONS);

  const nameWords = splitWords(name);
  const nameTerms = new Set(nameWords.map(stem));
  return { weights, nameTerms, nameLength: nameWords.length, path: pathOf(group, name) };
}
