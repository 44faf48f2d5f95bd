export {
  type CallbackServer,
  type CallbackServerOptions,
  openCallbackServer,
} from './callback-server.ts';
