export { readText, withBody } from './bounded-fetch.ts';
export {
  type Addressee,
  AnsweredError,
  type ChannelRequestOptions,
  type ServerHandler,
  type ServerMessage,
  type ServerQuestion,
} from './channel.ts';
export {
  describeFailure,
  type HttpProblem,
  httpProblemOf,
  isLost,
  rootMessage,
  withOutputTail,
  withoutSecrets,
} from './failure.ts';
export type { StrayAnswers } from './messages.ts';
export type { Failure, LoginNeeded, OpenTransport } from './open-transport.ts';
export { type HttpAuth, openTransport } from './transport.ts';
