export {
  assess,
  callEvent,
  NESTED_TOO_DEEP,
  nameKeyOf,
  numberLost,
  numberRounded,
  type ParsedCall,
  type Route,
  type RouteOptions,
  type Scope,
} from './route.ts';
export { ToolRequest } from './tool-request.ts';
