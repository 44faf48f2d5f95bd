export { hasRecall, isRecallDeclared } from './definition/index.ts';
export { RecordedResults } from './recorded-results.ts';
export {
  createRecall,
  type Recall,
  type RecallAnswer,
  type RecallInput,
  recall,
} from './tool.ts';
