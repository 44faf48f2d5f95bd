export {
  type InboxBodies,
  inboxMessage,
  MAX_ID,
  type Remote,
  readWord,
  takeMessage,
} from './messages.ts';
export { RemoteAnswers } from './remote-answers.ts';
export { type When, Words } from './words.ts';
