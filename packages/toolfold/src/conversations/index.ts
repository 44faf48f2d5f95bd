export type { Conversation } from './conversation.ts';
export type { Begin } from './conversation-options.ts';
export {
  type OpenConversationOptions,
  type Opened,
  openConversation,
} from './open-conversation.ts';
export type { QuickQuestion } from './quick-questions.ts';
export { isInterrupted } from './remote-questions.ts';
export { eventsOfSession, ShownTexts } from './session-view.ts';
export { jsonWriter, textWriter, turnCode } from './turn-writer.ts';
