export { Endpoints } from './endpoints.ts';
export {
  buildRequest,
  type ModelId,
  type Pending,
  type RequestEvent,
  type RequestInputs,
} from './request.ts';
export { countPrompt, type RequestTokens } from './request-tokens.ts';
export type { ChoosePreload, Notice, PreloadTurn, TurnView } from './tail.ts';
export { toTranscript } from './transcript.ts';
