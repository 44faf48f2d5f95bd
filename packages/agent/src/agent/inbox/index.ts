export {
  type InboxBodies,
  inboxMessage,
  MAX_ID,
  type Remote,
  readUserMessage,
  takeMessage,
} from './messages.ts';
export { RemoteAnswers } from './remote-answers.ts';
export { SteeringQueue, type When } from './steering.ts';
