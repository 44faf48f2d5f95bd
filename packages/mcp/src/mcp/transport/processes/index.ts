export { createServerMark, endMarked } from './marked-processes.ts';
export { forgetGroup, guardGroup, signalGroup, startSupervisor } from './process-groups.ts';
