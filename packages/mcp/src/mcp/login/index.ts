export type { PastedAnswers } from './callback/index.ts';
export { finishLogin } from './host-login.ts';
export { type LoginOptions, type LoginResult, login } from './login.ts';
export { canLogIn, type LoginContextOptions } from './login-context.ts';
export { loginNeeded } from './login-needed.ts';
export { type LogoutOptions, type LogoutResult, logout } from './logout.ts';
export { type AuthProviderOptions, authProviderFor, type LoginAuth } from './server-auth.ts';
