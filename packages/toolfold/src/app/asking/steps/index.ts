export { byStep } from './by-step.ts';
export { elicitationAnswer, elicitationQuestion, type ShownElicitation } from './elicitation.ts';
export { MAX_ARGUMENTS, MAX_NAME, subjectOf } from './subject.ts';
