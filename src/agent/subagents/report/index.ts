export { resultOf, type TurnEnd } from './last-answer.ts';
export { reportOf, type SubagentReport } from './report.ts';
