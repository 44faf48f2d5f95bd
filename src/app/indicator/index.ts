export { type Indicator, type IndicatorFacts, indicatorOf } from './indicator.ts';
export { costText, spentOf } from './spent.ts';
export { type PlanQuery, schemaTokens, type ToolPlan, ToolPlans } from './tool-plan.ts';
