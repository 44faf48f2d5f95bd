export {
  type AgentContext,
  cacheOf,
  choiceOf,
  foldSettings,
  frozenOf,
  onlyOf,
} from './agent-context.ts';
export { systemKey, systemText } from './system-text.ts';
