export { type Asker, createAsker } from './asker.ts';
export { byStep } from './by-step.ts';
export { approvalStore } from './save-approval.ts';
export { unknownQuestion } from './unknown-call.ts';
