export {
  type AnswerFormat,
  type Batch,
  type BatchRun,
  type Ending,
  type Engine,
  type EngineCommand,
  type EngineUpdate,
  FORMATS,
  type OnUpdate,
  type SubagentAnswer,
  type SubagentQuestion,
  type SubagentResult,
  type SubagentTask,
  type Work,
  type WorkOptions,
  type WorkResult,
} from './engine.ts';
export { createInProcessEngine } from './in-process.ts';
export {
  DEFAULT_CONCURRENCY,
  DEFAULT_TIMEOUT,
  RESULT_BYTES,
  SUBAGENTS,
} from './limits.ts';
export { plain, plainEvent } from './progress.ts';
