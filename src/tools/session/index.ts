export type { ExplainedTool, Explanation } from './explain.ts';
export { Session } from './session.ts';
