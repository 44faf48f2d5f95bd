export type { AppApproval, AppApprovalQuestion, ApprovalQuestion } from './app-approval.ts';
export { isAnswerable, isMarked, type LiveSet, LiveSets } from './live-set.ts';
export {
  fixedTools,
  fromLoadedToolSet,
  fromToolSet,
  hiddenTools,
  OF_PROVIDER,
  toWireTool,
  withoutDeferLoading,
} from './own-tools.ts';
export { answerBridge } from './run.ts';
export { SdkSchemas } from './sdk-schema.ts';
export { SdkView } from './sdk-view.ts';
export { GROUP_KEYS, misspelt, problemOfTool, refuse, usableTools } from './tool-keys.ts';
export { createToolApproval, type ToolApproval, toolSetOf } from './tool-set.ts';
export {
  checkedCounter,
  FieldWarnings,
  harmless,
  NativeWarnings,
  warningsTo,
  warnOfToolSearch,
} from './warnings.ts';
