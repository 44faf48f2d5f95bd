export { COMPACTED, entryText, LOST, messageText, textIn, textsIn } from './entry-text.ts';
export type {
  AnswerParts,
  Content,
  Kind,
  Kinds,
  ResultPart,
  RunOutcome,
  SessionSettings,
  TurnKind,
  UnknownChoice,
  Write,
} from './kinds.ts';
export { areSamePlain, fromBase64, plainValue, restored, toBase64 } from './plain.ts';
export { packed, unpacked } from './sent-request.ts';
export { ThoughtReader, thoughtsIn } from './thoughts.ts';
