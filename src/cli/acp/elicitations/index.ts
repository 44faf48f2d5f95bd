export { answerOf, formSchema } from './form.ts';
export { elicitationText } from './text.ts';
