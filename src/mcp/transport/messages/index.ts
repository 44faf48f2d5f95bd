export { excessOf, MAX_MESSAGE, tooLong } from './message-limits.ts';
export { isUnhandled } from './notifications.ts';
export { errorAnswer, messageText, noAnswer, PendingRequests } from './pending-requests.ts';
export { StrayAnswers } from './stray-answers.ts';
