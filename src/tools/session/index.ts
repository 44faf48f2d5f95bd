export type { ExplainedTool, Explanation } from './explain.ts';
export { Session, type TurnOptions } from './session.ts';
export { scopeOf } from './session-scope.ts';
