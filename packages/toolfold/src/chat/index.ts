export type { CommandUi, MenuItem } from './command.ts';
export { COMMANDS, isCommand, runCommand } from './commands.ts';
export { foundLines, greeting } from './greeting.ts';
export { harmlessInput, readKeys } from './input.ts';
export type { Chat, ChatOptions, ChatRequest, OpenQuestion } from './open-chat.ts';
export { Shell, shellCommandIn } from './shell.ts';
