export { callLine, oneLine } from './call-line.ts';
export type { CommandContext } from './command-context.ts';
export { exitCode } from './exit-code.ts';
export { figure, money, quantity, share } from './figures.ts';
export { path, positiveInteger, seconds } from './flag-values.ts';
export { importOptional } from './import-optional.ts';
export { renderTable } from './table.ts';
export { openTerminal, type Terminal } from './terminal.ts';
export { chooseCounter } from './token-counter.ts';
