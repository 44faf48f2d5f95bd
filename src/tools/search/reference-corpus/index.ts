export { ReferenceCorpus } from './reference-corpus.ts';
