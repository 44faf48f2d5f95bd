export { approvalStore } from './approval.ts';
export { type Asker, type AskerOptions, createAsker, unknownQuestion } from './asker.ts';
export { byStep } from './by-step.ts';
export { elicitationAnswer, elicitationQuestion } from './elicitation.ts';
export {
  type Answer,
  type AnswerChoice,
  type Ask,
  type CallAwaitingAnswer,
  linesAbove,
  MAX_NAME,
  type Question,
  type QuestionStep,
} from './question.ts';
