export {
  type CallbackServer,
  type CallbackServerOptions,
  isSameState,
  openCallbackServer,
} from './callback-server.ts';
