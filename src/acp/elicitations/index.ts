export { choiceSchema, formAnswer, formSchema } from './form.ts';
