export { type CallbackServer, hasState, openCallbackServer } from './callback-server.ts';
export { firstAnswer, type PastedAnswers } from './pasted-answer.ts';
