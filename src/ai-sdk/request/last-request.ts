import type { TranscriptMessage } from '../../tools/transcript/index.ts';
import { LastList } from '../../tools/values/index.ts';
import type { LanguageModelV4Message } from '../protocol/index.ts';
import { constants } from './constants.ts';
import { LastSent } from './facts/index.ts';
import { type ReadMessage, readMessage, transcriptMessage } from './messages/index.ts';
import type { WirePrompt } from './outgoing.ts';

interface Read {
  readonly read: ReadMessage<LanguageModelV4Message>;
  readonly said: TranscriptMessage;
}

/**
 * What was computed for the last request of a fold. The next request of a conversation begins with the same messages:
 * only what is new is read, counted and hashed. Of several conversations side by side, each one replaces it.
 */
export class LastRequest {
  /** The messages of the SDK's prompt, and what they say about tools. */
  readonly read: LastList<LanguageModelV4Message, Read> = new LastList((message, isCopy) => {
    if (isCopy) constants.add(message);
    const read = readMessage(message);
    return { read, said: transcriptMessage(read) };
  });
  wire: WirePrompt | undefined;
  readonly sent: LastSent = new LastSent(constants);
}
