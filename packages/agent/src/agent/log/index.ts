export { AnswerRecorder, SentMessages } from './answer-recorder.ts';
export { eventsOfEntry } from './entry-events.ts';
export { eventsOfTurn } from './event-queue.ts';
export { Log, stateOf } from './log.ts';
export { Meter, readUsage, type Usage } from './meter.ts';
export { openEvents } from './open-text.ts';
export { withdrawalOf } from './received-answer.ts';
