export {
  type AgentContext,
  choiceOf,
  foldSettings,
  frozenOf,
} from './agent-context.ts';
export { announce } from './announce.ts';
export { configured, settingsToKeep, withSettings } from './configured.ts';
export { SystemText, systemKey } from './system-text.ts';
