export { age } from './age.ts';
export { askLine, canAsk, isAgreed } from './ask-line.ts';
export { callLine, oneLine, shortLine } from './call-line.ts';
export { type CommandContext, timeLeft } from './command-context.ts';
export { exitCode } from './exit-code.ts';
export { formatCount, formatNumber, money, share } from './figures.ts';
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
export { escapedControls, json } from './json-text.ts';
export { RunNotes } from './notes.ts';
export { importOptional } from './packages/index.ts';
export type { Streams } from './streams.ts';
export { descriptionRoom, renderTable } from './table.ts';
export { openTerminal, type Terminal } from './terminal.ts';
export { chooseCounter } from './token-counter.ts';
export { Unwritten } from './unwritten.ts';
