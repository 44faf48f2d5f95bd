export { type Indicator, type IndicatorFacts, indicatorOf } from './indicator.ts';
export { costText, spentOf } from './spent.ts';
export { schemaTokens, ToolPlans } from './tool-plan.ts';
