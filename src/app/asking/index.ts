export { type Asker, createAsker } from './asker.ts';
export { loginQuestion } from './login.ts';
export { approvalStore } from './save-approval.ts';
export { unknownQuestion } from './unknown-call.ts';
