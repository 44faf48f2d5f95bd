export { RecordedResults } from './recorded-results.ts';
export {
  createRecall,
  hasRecall,
  isRecallDeclared,
  type Recall,
  type RecallAnswer,
  type RecallInput,
  recall,
} from './tool.ts';
