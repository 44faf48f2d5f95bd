import type { TokenCounter } from '../../../tools/tool/index.ts';
import { areSameLists, LastList, sameStart } from '../../../tools/values/index.ts';
import type { LanguageModelV4Message } from '../../protocol/index.ts';
import type { Labels } from './labels.ts';
import type { Sender } from './message-texts.ts';
import { isOwn, type Part, type Segment, sum, type Written, writtenPart } from './segment.ts';
import { isSameSender, SentMessage } from './sent-message.ts';

type Messages = readonly LanguageModelV4Message[];

/** The tokens of a prompt: of each message, and of all up to each message. */
interface Counted {
  readonly sender: Sender | undefined;
  readonly sent: readonly SentMessage[];
  /** Of each message: its parts if it holds results, else one number. */
  readonly counts: readonly (readonly number[])[];
  readonly sums: readonly { readonly system: number; readonly messages: number }[];
  /** What messages append, if they append something; see `SentMessage.added`. */
  readonly added: readonly { readonly at: number; readonly lists: unknown[][] }[];
}

/** The segments of messages. */
interface Segmented {
  readonly labels: Labels | undefined;
  readonly prompt: Messages;
  readonly sent: readonly SentMessage[];
  readonly counts: Counted['counts'];
  readonly written: readonly Written[];
  readonly list: readonly Segment[];
  /** Up to each message: how many segments, and their tokens that are there because of Toolfold. */
  readonly sums: readonly { readonly length: number; readonly added: number }[];
}

const NONE: readonly never[] = [];

/**
 * What was computed for the last request that was sent. Each request replaces it. Messages that stand at the beginning
 * of both are not computed again.
 */
export class LastSent {
  readonly messages: LastList<LanguageModelV4Message, SentMessage>;
  /** The parts before the messages. */
  readonly frame: LastList<Part, Written> = new LastList(writtenPart);
  #counted: Counted = { sender: undefined, sent: NONE, counts: NONE, sums: NONE, added: NONE };
  #segmented: Segmented = {
    ...{ labels: undefined, prompt: NONE, sent: NONE, counts: NONE },
    ...{ written: NONE, list: NONE, sums: NONE },
  };

  /** `constants`: messages that nobody changes. */
  constructor(constants?: WeakSet<object>) {
    this.messages = new LastList((message, isOwn) => new SentMessage(message, isOwn), constants);
  }

  /** `count` is always the same. */
  count(sent: readonly SentMessage[], sender: Sender, count: TokenCounter): Counted {
    const last = this.#counted;
    const isSame = last.sender !== undefined && isSameSender(last.sender, sender);
    const same = isSame ? sameStart(last.sent, sent) : 0;
    const counts = last.counts.slice(0, same);
    const sums = last.sums.slice(0, same);
    const added = last.added.filter(({ at }) => at < same);
    let { system, messages } = sums.at(-1) ?? { system: 0, messages: 0 };
    for (let at = same; at < sent.length; at++) {
      const message = sent[at] as SentMessage;
      const tokens = message.tokens(sender, count);
      if (message.role === 'system') system += sum(tokens);
      else messages += sum(tokens);
      counts.push(tokens);
      sums.push({ system, messages });
      const lists = message.added(sender.search);
      if (lists) added.push({ at, lists });
    }
    this.#counted = { sender, sent, counts, sums, added };
    return this.#counted;
  }

  /** The segments of the messages behind the frame. */
  segment(
    prompt: Messages,
    sent: readonly SentMessage[],
    counts: Counted['counts'],
    labels: Labels,
  ): Segmented {
    const last = this.#segmented;
    const isSame = last.labels === labels;
    let same = isSame ? Math.min(sameStart(last.prompt, prompt), sameStart(last.sent, sent)) : 0;
    const known = sameStart(last.counts, counts);
    // Appended tools are counted anew for each request.
    for (let at = known; at < same; at++)
      if (!areSameLists(last.counts[at] ?? NONE, counts[at] ?? NONE)) same = at;
    const sums = last.sums.slice(0, same);
    let { length, added } = sums.at(-1) ?? { length: 0, added: 0 };
    const written = last.written.slice(0, length);
    const list = last.list.slice(0, length);
    for (let at = same; at < prompt.length; at++) {
      const message = prompt[at] as LanguageModelV4Message;
      for (const one of sent[at]?.segments(message, labels, counts[at] ?? NONE) ?? NONE) {
        written.push(one);
        list.push(one.segment);
        if (!isOwn(one.segment)) added += one.segment.tokens;
      }
      length = list.length;
      sums.push({ length, added });
    }
    this.#segmented = { labels, prompt, sent, counts, written, list, sums };
    return this.#segmented;
  }
}
