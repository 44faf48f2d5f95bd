export { adopted, adoptedAgain } from './adopt.ts';
export { CallLog } from './call-log.ts';
export { closedMessages, closings, lostCalls } from './closings.ts';
export {
  keepsPrefixWithoutTools,
  NO_ROUNDS,
  ROUNDS_SPENT,
  roundsFor,
  roundsIn,
} from './rounds.ts';
