export { boundaries } from './boundaries.ts';
export { ContextUse, roomIn } from './context-use.ts';
export { digestIn, ToolResults } from './digest.ts';
export { messagesTokens } from './message-tokens.ts';
export { shownOutput, textOfOutput } from './output-text.ts';
export { type CompactionPlan, compactedMessages, KEEP, planCompaction } from './plan.ts';
export { mechanicalSummary, NO_CALLS, SUMMARY_REQUEST } from './summary.ts';
