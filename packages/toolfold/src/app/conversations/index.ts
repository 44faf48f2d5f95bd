export type { Conversation } from './conversation.ts';
export type { Begin } from './conversation-options.ts';
export { isInterrupted } from './interrupted.ts';
export { type Opened, type OpenOptions, openConversation } from './open-conversation.ts';
export { eventsOfSession } from './session-view.ts';
export type { Choice } from './settings.ts';
export { quoted } from './way-back.ts';
