export { describeFailure, lostConnection, withOutputTail, withoutSecrets } from './failure.ts';
export type { HttpAuth } from './http-auth.ts';
export { type HttpProblem, httpProblemOf } from './http-problem.ts';
export { StrayAnswers } from './messages/index.ts';
export type { Failure, OpenTransport } from './open-transport.ts';
export { type Client, importSdk, type Transport } from './sdk.ts';
export { openTransport } from './transport.ts';
