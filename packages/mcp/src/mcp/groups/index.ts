export {
  type CallTool,
  type GroupOptions,
  notUsable,
  toGroup,
  toUnavailableGroup,
} from './group.ts';
