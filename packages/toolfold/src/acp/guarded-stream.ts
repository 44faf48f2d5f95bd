import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import { isTooDeep } from '@toolfold/core/internal/tools/values';

/**
 * The stream, with each message that is sent changed by `redacted`. The answer to a request that is nested
 * too deeply does not repeat it.
 */
export function guardedStream(
  { readable, writable }: Stream,
  redacted: (message: AnyMessage) => AnyMessage,
): Stream {
  const writer = writable.getWriter();
  return {
    readable,
    writable: new WritableStream<AnyMessage>({
      write: (message) => writer.write(redacted(withoutDepth(message))),
      close: () => writer.close(),
      abort: (reason) => writer.abort(reason),
    }),
  };
}

/** An error may repeat what the editor has sent. All other messages are bounded where they are made. */
function withoutDepth(message: AnyMessage): AnyMessage {
  if (!('error' in message) || !isTooDeep(message)) return message;
  const { code, message: text } = message.error;
  return { ...message, error: { code, message: text } };
}
