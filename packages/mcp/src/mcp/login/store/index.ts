export { withLock } from './file-lock.ts';
export { LoginStore, type StoreOptions } from './login-store.ts';
export {
  endOf,
  isEnding,
  issuerOf,
  type PendingLogin,
  type StoredLogin,
} from './stored-login.ts';
