import type { TranscriptMessage } from '@toolfold/core/internal/transcript';
import { LastList, sameStart } from '@toolfold/core/internal/values';
import {
  LastReading,
  type ReadMessage,
  readSdkMessage as readMessage,
  transcriptMessage,
} from '../messages/index.ts';
import type { LanguageModelV4Message } from '../protocol/index.ts';
import { LastSent } from './last-sent.ts';
import { constants, type WirePrompt } from './wire-prompt.ts';

type PromptMessage = ReadMessage<LanguageModelV4Message>;

/** The messages of a request as Toolfold has read them, and what each says about tools. Nobody changes the lists. */
interface ReadPrompt {
  readonly prompt: readonly PromptMessage[];
  readonly transcript: readonly TranscriptMessage[];
}

/** Which messages the next request has, by the names that a host gives to its lists of messages. */
export interface MessageHistory {
  readonly id: object;
  /** The list of the request before, whose messages stand at the beginning of this one. */
  readonly after: object;
  /** How many messages at the end of that list are other objects in this one, or are not in it. */
  readonly changed: number;
  /** Whether an earlier call of the conversation had this id, also if its messages are gone. */
  readonly hasCall?: (id: string) => boolean;
}

type Messages = readonly LanguageModelV4Message[];

/**
 * What was computed for the last request of a fold. The next request of a conversation begins with the same messages:
 * only what is new is read, counted and hashed. Of several conversations side by side, each one replaces it.
 */
export class LastRequest {
  readonly #read = new LastList<LanguageModelV4Message, PromptMessage>((message, isCopy) => {
    if (isCopy) constants.add(message);
    return readMessage(message);
  });
  #last: ReadPrompt = { prompt: [], transcript: [] };
  /** The name of its list of messages, if its host names them. */
  #id: object | undefined;
  #mayHoldRounds = false;
  /** Whether rounds were split in it. */
  #isSplit = false;
  /** What its messages say about tools. */
  readonly said: LastReading = new LastReading();
  wire: WirePrompt | undefined;
  readonly sent: LastSent = new LastSent(constants);

  /** The messages of the SDK's prompt, with rounds inside model calls split by `split`, and what they are. */
  read(
    given: Messages,
    history: MessageHistory | undefined,
    split: (given: Messages) => Messages,
  ): ReadPrompt {
    const { id, after, changed = 0 } = history ?? {};
    const isSame = this.#id !== undefined && this.#id === id;
    const isLonger = this.#id !== undefined && this.#id === after;
    this.#id = undefined;
    if (!this.#isSplit) {
      // The SDK may have joined what comes next with the last message.
      const first = given.findIndex(({ role }) => role !== 'system');
      const end = this.#read.length - 1 - (isSame ? 0 : changed);
      const prompt = this.#read.of(
        given,
        first >= 0 && (isSame || isLonger) ? [first, end] : undefined,
      );
      // Most conversations have no such rounds, and looking for them takes longer than this.
      const known = this.#mayHoldRounds ? 0 : sameStart(this.#last.prompt, prompt);
      this.#mayHoldRounds = prompt.slice(known).some(mayHoldRounds);
      if (!this.#mayHoldRounds) {
        this.#id = id;
        return this.#say(prompt);
      }
    }
    const messages = split(given);
    this.#isSplit = messages !== given;
    return this.#say(this.#read.of(messages));
  }

  #say(prompt: readonly PromptMessage[]): ReadPrompt {
    const known = sameStart(this.#last.prompt, prompt);
    const { transcript: last } = this.#last;
    const kept = known < last.length ? last.slice(0, known) : last;
    this.#last = { prompt, transcript: kept.concat(prompt.slice(known).map(transcriptMessage)) };
    return this.#last;
  }
}

/** Whether the provider has run calls in it. They may be rounds that were answered inside a model call. */
function mayHoldRounds({ calls }: PromptMessage): boolean {
  return calls.some(({ part }) => part.providerExecuted === true);
}
