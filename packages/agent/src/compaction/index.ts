export { ContextUse, messagesTokens, roomIn } from './context-use.ts';
export {
  boundaries,
  type CompactionPlan,
  compactedMessages,
  KEEP,
  planCompaction,
} from './plan.ts';
export {
  createRecall,
  type Recall,
  type RecallAnswer,
  type RecallInput,
  RecordedResults,
  recall,
} from './recall.ts';
export { mechanicalSummary, NO_CALLS, SUMMARY_REQUEST } from './summary.ts';
