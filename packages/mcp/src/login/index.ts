export type { PastedAnswers } from './callback.ts';
export { type LoginOptions, type LoginResult, login, loginNeeded } from './login.ts';
export { canLogIn, type LoginContextOptions } from './login-context.ts';
export { type LogoutOptions, type LogoutResult, logout } from './logout.ts';
export {
  type AuthProviderOptions,
  authProviderFor,
  finishLogin,
  type LoginAuth,
} from './server-auth.ts';
