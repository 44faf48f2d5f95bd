export type { Target } from './known.ts';
export { ServerLists } from './server-lists.ts';
export { type Decision, type Mode, stateOf, textOf, View, type ViewOptions } from './view.ts';
