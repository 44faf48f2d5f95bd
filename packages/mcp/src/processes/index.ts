export { inheritedEnvironment, passedVariables } from './inherited-environment.ts';
export { createServerMark, endMarked } from './marked-processes.ts';
export { TextTail } from './output-tail.ts';
export { forgetGroup, guardGroup, signalGroup, startSupervisor } from './process-groups.ts';
