export {
  instructionHooks,
  instructionLine,
  keptInstructions,
  readInstructions,
} from './instructions.ts';
