export { createServerMark } from './mark.ts';
export { endMarked } from './marked-processes.ts';
export { forgetGroup, guardGroup, signalGroup, startSupervisor } from './process-groups.ts';
