export {
  costText,
  type Indicator,
  type IndicatorFacts,
  indicatorOf,
  spentOf,
} from './indicator.ts';
export { type Loaded, loadedTools, schemaTokens, ToolPlans } from './tool-plan.ts';
