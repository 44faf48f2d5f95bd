export { type Asker, createAsker } from './asker.ts';
export { approvalStore } from './save-approval.ts';
export { unknownQuestion } from './unknown-call.ts';
