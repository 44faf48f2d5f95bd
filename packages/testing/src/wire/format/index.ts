export {
  type AnswerCall,
  type AnswerUsage,
  type FinishReason,
  type ModelAnswer,
  parsedArguments,
} from './model-answer.ts';
export {
  CREATED_AT,
  type IssuedCalls,
  type Refusal,
  type WireEvent,
  type WireFormat,
} from './wire-format.ts';
