export { fieldProblem } from './field-problem.ts';
export type { RequestOptions } from './options.ts';
export type { SamplingLimits } from './sampling.ts';
export { ServerRequests } from './server-requests.ts';
