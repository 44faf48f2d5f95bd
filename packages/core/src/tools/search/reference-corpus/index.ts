export { type NearestTools, ReferenceCorpus } from './reference-corpus.ts';
