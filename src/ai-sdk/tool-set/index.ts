export type { AppApproval, AppApprovalQuestion, ApprovalQuestion } from './app-approval.ts';
export { createLiveSet, isAnswerable, type LiveSet, LiveSets } from './live-set.ts';
export { OF_PROVIDER, withoutDeferLoading } from './own-marks.ts';
export { fromLoadedToolSet, fromToolSet, toWireTool } from './own-tools.ts';
export { isPlaceholderOf, placeholderFor, unlistedFor } from './placeholder.ts';
export { answerBridge } from './run.ts';
export { SdkView } from './sdk-view.ts';
export { createToolApproval, type ToolApproval } from './tool-approval.ts';
export { bridgeFor, ownSet } from './tool-set.ts';
