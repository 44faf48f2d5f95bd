export { type Announcing, announce, RequestLog } from './request-log.ts';
export { droppableTokens, isCheaperWithout, toolTokens } from './tool-tokens.ts';
