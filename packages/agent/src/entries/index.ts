export { COMPACTED, entryText, LOST, messageText, textIn, textsIn } from './entry-text.ts';
export {
  type AnswerParts,
  type Content,
  type EntryKind,
  type Kinds,
  packed,
  type ResultPart,
  type RunOutcome,
  type SessionSettings,
  type TurnKind,
  type UnknownChoice,
  unpacked,
  type Write,
} from './kinds.ts';
export { areSamePlain, fromBase64, plainValue, restored, toBase64 } from './plain.ts';
export {
  DESCRIPTION,
  droppableTokens,
  hasRecall,
  isCheaperWithout,
  isRecallDeclared,
  RECALL,
  RECALL_LENGTH,
  RECALL_SCHEMA,
  toolTokens,
} from './recall-definition.ts';
export { ThoughtReader, thoughtsIn } from './thoughts.ts';
