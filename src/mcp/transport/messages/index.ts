export { carried, uncarried } from './carrier.ts';
export { excessOf, MAX_MESSAGE, tooLong } from './message-limits.ts';
export {
  errorAnswer,
  FIRST_OWN_ID,
  HANDSHAKE,
  isUnhandled,
  messageText,
  noAnswer,
  PendingRequests,
} from './pending-requests.ts';
export { StrayAnswers } from './stray-answers.ts';
