export { answerOf, formSchema } from './form.ts';
export { elicitationText } from './text.ts';
export { UNKNOWN_FORM } from './unknown-form.ts';
