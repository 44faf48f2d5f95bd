export { assess } from './assess.ts';
export { nameKeyOf, numberLost, numberRounded, type ReadCall } from './envelope.ts';
export { callEvent, type Route, type RouteOptions } from './route.ts';
export type { Scope } from './scope.ts';
export { ToolRequest } from './tool-request.ts';
