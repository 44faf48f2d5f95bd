export {
  DESCRIPTION,
  hasRecall,
  isRecallDeclared,
  RECALL,
  RECALL_LENGTH,
  RECALL_SCHEMA,
} from './definition.ts';
