export { AnswerRecorder, SentMessages } from './answer-recorder.ts';
export { eventsOfTurn } from './event-queue.ts';
export { Log, stateOf } from './log.ts';
export { Meter, readUsage, type Usage } from './meter.ts';
export { openEvents, withdrawalOf } from './received-answer.ts';
export { type Announcing, announce, RequestLog } from './request-log.ts';
