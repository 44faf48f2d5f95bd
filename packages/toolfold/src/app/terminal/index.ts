export { askLine, canAsk, isAgreed } from './ask-line.ts';
export { type CommandContext, timeLeft } from './command-context.ts';
export { exitCode } from './exit-code.ts';
export {
  budget,
  catalogsFlag,
  configFlag,
  path,
  positiveInteger,
  seconds,
  unreadable,
  usageError,
  wholeNumber,
} from './flag-values.ts';
export { RunNotes } from './notes.ts';
export { importOptional } from './optional-packages.ts';
export { descriptionRoom, renderTable } from './table.ts';
export type { Streams } from './terminal.ts';
export { openTerminal, type Terminal } from './terminal.ts';
export {
  age,
  callLine,
  escapedControls,
  formatCount,
  formatNumber,
  json,
  money,
  oneLine,
  share,
  shortLine,
} from './text.ts';
export { chooseCounter } from './token-counter.ts';
export { Unwritten } from './unwritten.ts';
export { paddingAsLength, visible } from './visible.ts';
