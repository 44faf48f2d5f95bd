export { AgentMaker } from './agent-maker.ts';
export { isInterrupted, openFacts } from './interrupted.ts';
export { eventsOfSession } from './rebuilt-events.ts';
export { RemoteAnswers } from './remote-answers.ts';
export { Talk } from './talk.ts';
export { type Choice, TurnSettings } from './turn-settings.ts';
export { WatchedTalk, type WatchedTalkOptions } from './watched-talk.ts';
