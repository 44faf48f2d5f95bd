export { fieldProblem } from './field-problem.ts';
export type { Relay, RequestOptions } from './options.ts';
export { ServerRequests } from './server-requests.ts';
