export { describeFailure, lostConnection, withOutputTail, withoutSecrets } from './failure.ts';
export type { HttpAuth } from './http-auth.ts';
export { type HttpProblem, httpProblemOf } from './http-problem.ts';
export type { Failure, OpenTransport } from './open-transport.ts';
export { type Client, importSdk, type Transport } from './sdk.ts';
export { StrayAnswers } from './stray-answers.ts';
export { openTransport } from './transport.ts';
