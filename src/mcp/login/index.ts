export { type LoginOptions, type LoginResult, login } from './login.ts';
export { loginNeeded } from './login-needed.ts';
export { type LogoutOptions, type LogoutResult, logout } from './logout.ts';
export { type AuthProviderOptions, authProviderFor, canLogIn } from './server-auth.ts';
