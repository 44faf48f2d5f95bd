export { CheckableSchema } from './checkable-schema.ts';
export type { Draft } from './members.ts';
export { BUDGET_SPENT, type Problem, Run, Spot } from './run.ts';
export type { Place } from './schema-references.ts';
