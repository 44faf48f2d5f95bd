export { isErrorOutput } from './error-output.ts';
export { readOutput } from './kept-output.ts';
export { mcpOutput } from './mcp-output.ts';
export { type ModelOutput, plainOutput, readModelOutput, wellFormed } from './model-output.ts';
export { isNotRunBySdk, isUnknownToSdk } from './sdk-errors.ts';
export {
  contentBehind,
  fileData,
  type ResultRules,
  RULES_WITHOUT_ROW,
  sentOutput,
  withTakenFiles,
} from './sent-output.ts';
export { type ThirdPartyView, thirdPartyOutput } from './third-party.ts';
