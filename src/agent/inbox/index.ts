export { type InboxBodies, inboxMessage } from './messages.ts';
export { RemoteAnswers } from './remote-answers.ts';
export { type Remote, takeMessage } from './take-message.ts';
