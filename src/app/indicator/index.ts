export {
  costText,
  type Indicator,
  type IndicatorFacts,
  indicatorOf,
  spentOf,
} from './indicator.ts';
export { mayHaveTools, nextRequest, nextWords, plannedStrategy } from './next-request.ts';
export { type Loaded, loadedTools, planNow, schemaTokens, ToolPlans } from './tool-plan.ts';
