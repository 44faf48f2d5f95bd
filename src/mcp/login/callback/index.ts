export { type CallbackServer, isSameState, openCallbackServer } from './callback-server.ts';
