export { completions } from './completions.ts';
export { harmlessInput } from './harmless-input.ts';
export { readKeys } from './pasted-files.ts';
