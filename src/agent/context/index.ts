export {
  type AgentContext,
  cacheOf,
  choiceOf,
  foldSettings,
  frozenOf,
} from './agent-context.ts';
export { systemKey, systemText } from './system-text.ts';
