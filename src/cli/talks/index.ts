export { AgentMaker } from './agent-maker.ts';
export { isInterrupted, openAnswer } from './interrupted.ts';
export { eventsOfSession } from './rebuilt-events.ts';
export { Talk } from './talk.ts';
export { type Choice, TurnSettings } from './turn-settings.ts';
export { WatchedTalk, type WatchedTalkOptions } from './watched-talk.ts';
