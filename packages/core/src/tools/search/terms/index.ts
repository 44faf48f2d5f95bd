export {
  type DocumentNames,
  type DocumentWords,
  FIELDS,
  type FieldName,
  namesOf,
  pathOf,
  readWords,
} from './fields.ts';
export { grown } from './grown.ts';
export { Postings } from './postings.ts';
export { stem } from './stem.ts';
export { STOP_WORDS } from './stop-words.ts';
export { TermWeights, weighDocument } from './term-weights.ts';
export { type Action, askedActions, otherVerbs } from './verbs.ts';
export { type StoredVocabulary, Vocabulary } from './vocabulary.ts';
export { WEIGHTS, type Weights } from './weights.ts';
export { wordWeight } from './word-weight.ts';
