export { instructionHooks, instructionLine, readInstructions } from './instructions.ts';
