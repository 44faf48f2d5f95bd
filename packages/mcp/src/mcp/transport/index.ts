export { readText, withBody } from './bounded-fetch.ts';
export {
  type Addressee,
  AnsweredError,
  type SendOptions,
  type ServerHandler,
  type ServerMessage,
  type ServerQuestion,
} from './channel.ts';
export { describeFailure, isLost, withOutputTail, withoutSecrets } from './failure.ts';
export { type HttpProblem, httpProblemOf } from './http-problem.ts';
export { StrayAnswers } from './messages/index.ts';
export type { Failure, LoginNeeded, OpenTransport } from './open-transport.ts';
export { rootMessage } from './root-message.ts';
export { type Client, importSdk, lostConnection, type Transport } from './sdk.ts';
export { type HttpAuth, openTransport } from './transport.ts';
