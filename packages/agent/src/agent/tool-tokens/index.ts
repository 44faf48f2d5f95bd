export { droppableTokens, isCheaperWithout, toolTokens } from './tool-tokens.ts';
