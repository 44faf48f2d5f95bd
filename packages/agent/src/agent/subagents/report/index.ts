export { resultOf, type TurnEnd } from './answer.ts';
export { type ReportedTask, reportOf, type SubagentReport } from './report.ts';
