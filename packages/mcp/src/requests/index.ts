export type { Relay, RequestOptions } from './calls-in-flight.ts';
export { fieldProblem } from './form-fields.ts';
export { ServerRequests } from './server-requests.ts';
