export { callHost } from './call-host.ts';
export { Elicitations } from './elicitations.ts';
