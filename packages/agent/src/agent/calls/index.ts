export { adopted } from './adopt.ts';
export { CallLog } from './call-log.ts';
export { closedMessages, closings, lostCalls } from './closings.ts';
export {
  BUDGET_SPENT,
  budgetFor,
  keepsPrefixWithoutTools,
  LOADS_IN_A_ROW,
  loadsInARow,
  NO_BUDGET,
  NO_ROUNDS,
  ROUNDS_SPENT,
  roundsFor,
  roundsIn,
  type TurnBudget,
} from './rounds.ts';
