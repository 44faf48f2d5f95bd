export { nameKeyOf, type ReadCall } from './read-call.ts';
export type { Scope } from './scope.ts';
export { callEvent, type Route, type RouteOptions, Turn } from './turn.ts';
