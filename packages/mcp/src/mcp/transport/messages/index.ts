export { excessOf, MAX_MESSAGE, tooLong } from './message-limits.ts';
export {
  errorAnswer,
  FIRST_OWN_ID,
  HANDSHAKE,
  isUnhandled,
  noAnswer,
  PendingRequests,
} from './pending-requests.ts';
export type { Received } from './stand-ins.ts';
export { StrayAnswers } from './stray-answers.ts';
