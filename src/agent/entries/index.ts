export { COMPACTED, entryText, LOST, messageText, textIn, textsIn } from './entry-text.ts';
export {
  type AnswerParts,
  type Content,
  FORM,
  type Kind,
  type Kinds,
  type ResultPart,
  type RunOutcome,
  type SessionSettings,
  type TurnKind,
  type UnknownChoice,
  type Write,
} from './kinds.ts';
export { areSamePlain, fromBase64, plainValue, restored, toBase64 } from './plain.ts';
export { packed, unpacked } from './sent-request.ts';
export { ThoughtReader, thoughtsIn } from './thoughts.ts';
