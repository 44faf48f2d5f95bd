export type { RecallInput } from './input.ts';
export { RecordedResults } from './recorded-results.ts';
export {
  createRecall,
  hasRecall,
  isRecallDeclared,
  type Recall,
  type RecallAnswer,
  recall,
} from './tool.ts';
