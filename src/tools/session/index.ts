export type { ExplainedTool, Explanation } from './explain.ts';
export { Session } from './session.ts';
export { scopeOf } from './session-scope.ts';
