export { type ChildTurnEnd, resultOf } from './answer.ts';
export {
  type AnswerFormat,
  type Batch,
  type BatchRun,
  type Ending,
  type Engine,
  type EngineCommand,
  type EngineUpdate,
  RESULT_BYTES,
  SUBAGENTS,
  type SubagentAnswer,
  type SubagentQuestion,
  type SubagentResult,
  type SubagentTask,
  type Work,
  type WorkOptions,
  type WorkResult,
} from './engine.ts';
export { type ReportedTask, reportOf, type SubagentReport } from './report.ts';
export { engineGrace, TaskRun, TOOL_GRACE } from './task-run.ts';
export {
  createSubagents,
  fixedSubagents,
  limitsOf,
  readOrder,
  type SharedInput,
  type SubagentInput,
  type SubagentOptions,
  type Subagents,
  type TaskInput,
} from './tool.ts';
