export {
  costText,
  type Indicator,
  type IndicatorFacts,
  indicatorOf,
  spentOf,
} from './indicator.ts';
export { type Next, nextOf } from './next-line.ts';
export { mayHaveTools, plannedStrategy } from './next-request.ts';
export { sentWith } from './sent-with.ts';
export { type Loaded, loadedTools, schemaTokens, ToolPlans } from './tool-plan.ts';
