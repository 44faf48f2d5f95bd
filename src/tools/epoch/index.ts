export { type AutoOptions, chooseStrategy, type Decision } from './auto.ts';
export type { Delivery } from './delivery.ts';
export { beginEpoch, type Epoch, fixedTools, type OwnTools, partition } from './epoch.ts';
export { type Chosen, EpochChoice } from './epoch-choice.ts';
export { epochTokens } from './epoch-tokens.ts';
export {
  expandedEntries,
  expandedState,
  findLoaded,
  isToolOf,
  loadedRanks,
  unlistedGroup,
} from './expanded.ts';
export { KnownDefinitions } from './known-definitions.ts';
export { contextOf, keepContext, type LayerContext, type SettingsCheck } from './layer-context.ts';
export { resumeState } from './resume.ts';
export { freeze, type ToolState } from './state.ts';
