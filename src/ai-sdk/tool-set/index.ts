export type { AppApproval, AppApprovalQuestion, ApprovalQuestion } from './app-approval.ts';
export { isAnswerable, type LiveSet, LiveSets } from './live-set.ts';
export { isMarked } from './marks.ts';
export { OF_PROVIDER, withoutDeferLoading } from './own-marks.ts';
export { fromLoadedToolSet, fromToolSet, toWireTool } from './own-tools.ts';
export { answerBridge } from './run.ts';
export { SdkView } from './sdk-view.ts';
export { createToolApproval, type ToolApproval } from './tool-approval.ts';
export { toolSetOf } from './tool-set.ts';
