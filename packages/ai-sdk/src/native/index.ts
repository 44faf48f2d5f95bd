export { addedBy, addedCounter, searchToolOf } from './added.ts';
export { searchArguments } from './openai.ts';
export { Placing } from './placing.ts';
export type { NativeWriter } from './writer.ts';
export { WRITERS, writerOf } from './writers.ts';
