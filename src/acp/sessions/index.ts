export type { EditorClient } from './editor-client.ts';
export type { EditorSession } from './editor-session.ts';
export { OpenSessions } from './open-sessions.ts';
export { listSessions } from './session-list.ts';
