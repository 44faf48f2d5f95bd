export {
  type CallTool,
  type GroupOptions,
  notUsable,
  toGroup,
  toUnavailableGroup,
} from './group.ts';
export { readyStatus, type ServerStatus } from './status.ts';
