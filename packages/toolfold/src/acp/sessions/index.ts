export type { EditorSession } from './editor-session.ts';
export type { EditorClient } from './host.ts';
export { OpenSessions } from './open-sessions.ts';
export { listSessions } from './session-list.ts';
export { forkRequest, titleRequest, UNSTABLE, UNSTABLE_CAPABILITIES } from './unstable.ts';
