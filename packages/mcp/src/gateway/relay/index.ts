export { type Asker, isLogLevel, lowestLevel } from './asker.ts';
export { checkDeclared, isDeclared } from './declared.ts';
export { failureAsResult } from './failure-as-result.ts';
export { forward } from './forward.ts';
export { isParked, ParkedCalls } from './parked-calls.ts';
