import type { CallHost, LogLevel } from '@toolfold/core/internal/tools/tool';
import type { ServerMessage, ServerQuestion } from '../transport/index.ts';

/** Takes what servers ask and tell, unread, for a host that passes it on. */
export interface Relay {
  /** What servers are told that the host can do. */
  readonly capabilities: object;
  /** Answers a request. A rejection is sent as an error. */
  ask(server: string, question: ServerQuestion): Promise<object>;
  tell(server: string, message: ServerMessage): void;
}

/**
 * What a host can do for servers. A server is told exactly this. What is left out is declined, also for
 * servers that ask without being told.
 */
export interface RequestOptions {
  /**
   * Whether users can be asked. `form`: they fill in fields. `url`: they also open pages. The question
   * goes to the host of the call (`CallHost.elicit`).
   */
  readonly elicitation?: 'form' | 'url' | undefined;
  /**
   * Whether the hosts of calls have a model (`CallHost.sample`). Only servers whose settings allow
   * `sampling` may use it.
   */
  readonly sampling?: boolean | undefined;
  /** The folders in which the host works, as absolute paths. */
  readonly roots?: readonly string[] | undefined;
  /**
   * The lowest level of log messages that servers are asked to send. Left out, no server is asked for
   * any; what it sends by itself still reaches `CallHost.onLog`.
   */
  readonly logLevel?: LogLevel | undefined;
  /** Milliseconds for an answer of a user or a model. Default: five minutes. */
  readonly answerTime?: number | undefined;
  /** Takes requests and notifications in place of everything above. */
  readonly relay?: Relay | undefined;
  /** Answers for calls without a host, and requests while no call runs. */
  readonly host?: CallHost | undefined;
}
