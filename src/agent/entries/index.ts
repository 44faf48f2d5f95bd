export { COMPACTED, entryText, LOST, textIn, textsIn } from './entry-text.ts';
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
export { areSamePlain, plainValue, restored } from './plain.ts';
export { packed, unpacked } from './sent-request.ts';
export { ThoughtReader, thoughtsIn } from './thoughts.ts';
