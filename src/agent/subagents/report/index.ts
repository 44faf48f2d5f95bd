export { LastAnswer } from './last-answer.ts';
export { reportOf, type SubagentReport } from './report.ts';
