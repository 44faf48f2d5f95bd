export type { Asker } from './asker.ts';
export { forward } from './forward.ts';
export { isParked, ParkedCalls } from './parked-calls.ts';
