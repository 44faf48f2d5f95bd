export {
  anyInput,
  bindingOf,
  brokenText,
  cutIfDeep,
  foreignBinding,
  inputUnder,
  type RawInput,
  readBridgeInput,
  readRaw,
  unusedId,
  wireBinding,
} from './call-input.ts';
export { keyOrdersOf, withKeyOrder } from './key-order.ts';
export { mcpOutput } from './mcp-output.ts';
export {
  isNotePart,
  keptText,
  NOTE_KIND,
  notePart,
  type ResponseNote,
  readOutput,
  readResponseNote,
} from './notes.ts';
export {
  isErrorOutput,
  isNotRunBySdk,
  isUnknownToSdk,
  type ModelOutput,
  plainOutput,
  readModelOutput,
  wellFormed,
} from './output.ts';
export {
  contentBehind,
  fileData,
  type ResultRules,
  RULES_WITHOUT_ROW,
  sentOutput,
  withTakenFiles,
} from './sent-output.ts';
export { stepMessages, withSplitRounds } from './split-rounds.ts';
export { type ThirdPartyView, thirdPartyOutput } from './third-party.ts';
export {
  type AssistantCall,
  LastReading,
  type ReadMessage,
  readSdkMessage,
  transcriptMessage,
  transcriptOf,
  type WrittenCall,
} from './transcript.ts';
export { type BridgePartType, type BridgeUITools, isBridgePart } from './ui-parts.ts';
