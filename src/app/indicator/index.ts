export {
  costText,
  type Indicator,
  type IndicatorFacts,
  indicatorOf,
  spentOf,
} from './indicator.ts';
export { schemaTokens, ToolPlans } from './tool-plan.ts';
