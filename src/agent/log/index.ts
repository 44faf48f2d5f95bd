export { eventsOfTurn } from './event-queue.ts';
export { Log, stateOf } from './log.ts';
export { type ChildEntries, eventsOf } from './read-events.ts';
export type { RebuiltEvent } from './read-turn.ts';
