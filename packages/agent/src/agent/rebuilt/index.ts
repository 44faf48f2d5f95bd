export { type ChildEntries, eventsOf } from './read-events.ts';
export type { RebuiltEvent } from './read-turn.ts';
