export { type CallTool, type GroupOptions, toGroup, toUnavailableGroup } from './group.ts';
export { failedStatus, readyStatus, type ServerStatus } from './status.ts';
