export { type Attached, withFiles } from './attachments.ts';
export { completions, type SuggestedCommand } from './completions.ts';
export { harmlessInput, harmlessKeys } from './harmless-input.ts';
export { historyOf } from './history.ts';
