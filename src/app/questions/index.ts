export { type After, Pace, Typing } from './pace.ts';
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
