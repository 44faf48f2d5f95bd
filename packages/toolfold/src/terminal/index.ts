export {
  contentOf,
  createFile,
  type MessageFile,
  readText,
  realPath,
  replaceFile,
  typedPath,
  withFiles,
  withUploads,
} from './files.ts';
export {
  type AgentFlags,
  budget,
  type CacheFlag,
  catalogsFlag,
  configFlag,
  notEmpty,
  path,
  positiveInteger,
  ROUTINGS,
  seconds,
  unreadable,
  usageError,
  wholeNumber,
  withAgentFlags,
} from './flags.ts';
export { askLine, canAsk, INERT, isAgreed, Typing } from './input.ts';
export { chooseCounter, importOptional } from './optional-packages.ts';
export {
  type CommandContext,
  exitCode,
  RunNotes,
  type Streams,
  type Terminal,
  timeLeft,
  type Unwritten,
} from './terminal.ts';
export {
  age,
  backticks,
  callLine,
  descriptionRoom,
  escapedControls,
  harmlessPiece,
  json,
  money,
  oneLine,
  paddingAsLength,
  renderTable,
  share,
  shortLine,
  visible,
} from './text.ts';
