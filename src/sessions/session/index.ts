export {
  type Addition,
  createSession,
  forkSession,
  openSession,
  type Session,
  type SessionListener,
} from './session.ts';
