export {
  type Answer,
  type Ask,
  type AskLine,
  type Choice,
  type Choose,
  linesAbove,
  type Question,
  type QuestionedCall,
  type Step,
} from './question.ts';
export { type After, INERT, Typing } from './typing.ts';
