export {
  type AgentContext,
  choiceOf,
  foldSettings,
  frozenOf,
  type Switches,
} from './agent-context.ts';
export { SystemText, systemKey } from './system-text.ts';
