export { type InboxBodies, inboxMessage, type Remote, takeMessage } from './messages.ts';
export { RemoteAnswers } from './remote-answers.ts';
