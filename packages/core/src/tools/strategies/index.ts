export {
  AppendBudget,
  type AppendForm,
  PLACEHOLDER,
  PLAIN_APPEND,
} from './append-form.ts';
export { Bridges, bridgeKinds, OTHER_SEARCH_NAME, reservedNames } from './bridges.ts';
export {
  type AcceptedTools,
  type Declarable,
  declarable,
  STRICT,
  withObjectRoot,
} from './declarable.ts';
export {
  type BridgeKind,
  type BridgeNames,
  isDispatcher,
  type Strategy,
  type StrategyName,
} from './strategy.ts';
export {
  FALLBACK,
  isStrategyName,
  type StrategyChoice,
  strategies,
  strategyNames,
  wantedStrategy,
} from './table.ts';
