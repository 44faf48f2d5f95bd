export type { ExplainedTool, Explanation } from './explain.ts';
export { Session, type TurnOptions } from './session.ts';
