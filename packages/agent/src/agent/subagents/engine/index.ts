export {
  type AnswerFormat,
  type Batch,
  type BatchRun,
  type Ending,
  type Engine,
  type EngineCommand,
  type EngineUpdate,
  FORMATS,
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
export { createInProcessEngine } from './in-process.ts';
export { plain, plainEvent } from './progress.ts';
export { failureText } from './task-run.ts';
