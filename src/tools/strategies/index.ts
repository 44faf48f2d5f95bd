export {
  AppendBudget,
  type AppendForm,
  declarable,
  PLACEHOLDER,
  PLAIN_APPEND,
} from './append-form.ts';
export { Bridges, bridgeKinds, OTHER_SEARCH_NAME, reservedNames } from './bridges.ts';
export { type BridgeKind, type BridgeNames, isDispatcher, type Strategy } from './strategy.ts';
export {
  FALLBACK,
  isStrategyName,
  type StrategyChoice,
  type StrategyName,
  strategies,
  strategyNames,
  wantedStrategy,
} from './table.ts';
