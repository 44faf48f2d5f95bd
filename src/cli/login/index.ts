export { loginCommand } from './login.ts';
export { logoutCommand } from './logout.ts';
