export { withLock } from './file-lock.ts';
export { LoginStore, type StoreOptions } from './login-store.ts';
export {
  issuerOf,
  type LoginOwner,
  type PendingLogin,
  type StoredLogin,
} from './stored-login.ts';
export { endOf, isEnding } from './token-age.ts';
