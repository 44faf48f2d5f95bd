export { completions } from './completions.ts';
export { harmlessInput, harmlessKeys } from './harmless-input.ts';
