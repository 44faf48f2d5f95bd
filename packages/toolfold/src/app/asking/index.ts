export { type Asker, type AskerOptions, createAsker } from './asker.ts';
export { approvalStore } from './save-approval.ts';
export { unknownQuestion } from './unknown-call.ts';
