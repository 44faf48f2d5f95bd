export type { CommandUi, Item } from './command.ts';
export { COMMANDS, isCommand, runCommand } from './commands.ts';
export { Shell, shellCommandIn } from './shell.ts';
