import type { TokenCounter } from '@toolfold/core/internal/tool';
import { areSameLists, LastList, sameStart } from '@toolfold/core/internal/values';
import { addedBy, type LanguageModelV4Message } from '../protocol/index.ts';
import { type ApiTraits, fileTokensOf, textsOf } from './message-texts.ts';
import {
  isOwn,
  type Labels,
  runsOf,
  type Segment,
  type SegmentLabel,
  type SegmentSource,
  sum,
  type Written,
  writtenPart,
} from './segments.ts';

/** The tokens of a prompt. The next request changes the lists. */
interface Counted {
  /** Of each message: its parts if it holds results, else one number. */
  readonly counts: (readonly number[])[];
  /** Of all up to each message. */
  readonly sums: { readonly system: number; readonly messages: number }[];
  /** What messages append, if they append something; see `SentMessage.added`. */
  readonly added: readonly { readonly at: number; readonly lists: unknown[][] }[];
}

/** The segments of a request. Nobody changes the lists that were returned. */
interface Segmented {
  readonly written: readonly Written[];
  readonly list: readonly Segment[];
  /** The tokens of messages that are there because of Toolfold. */
  readonly added: number;
}

/** What segments are made of. */
interface SegmentInput {
  readonly prompt: readonly LanguageModelV4Message[];
  readonly sent: readonly SentMessage[];
  readonly counts: readonly (readonly number[])[];
  readonly labels: Labels;
  /** The first message behind the frame. */
  readonly start: number;
}

/** What the segments of the last request were made of. Nobody else has the lists that are changed. */
interface LastSource extends SegmentInput {
  readonly frame: readonly Written[];
  readonly prompt: LanguageModelV4Message[];
  readonly counts: (readonly number[])[];
  /** Up to each message behind the frame: how many segments, and their tokens that are there because of Toolfold. */
  readonly sums: { readonly length: number; readonly added: number }[];
}

const NONE: readonly never[] = [];

/**
 * What was computed for the last request that was sent. Each request replaces it. Messages that stand at the beginning
 * of both are not computed again, and lists of all messages are copied only where somebody keeps them.
 */
export class LastSent {
  readonly messages: LastList<LanguageModelV4Message, SentMessage>;
  /** The parts before the messages. */
  readonly frame: LastList<SegmentSource, Written> = new LastList(writtenPart);
  #sender: ApiTraits | undefined;
  #sent: readonly SentMessage[] = NONE;
  #counted: Counted = { counts: [], sums: [], added: NONE };
  #segmented: Segmented = { written: NONE, list: NONE, added: 0 };
  #source: LastSource | undefined;

  /** `constants`: messages that nobody changes. */
  constructor(constants?: WeakSet<object>) {
    this.messages = new LastList((message, isOwn) => new SentMessage(message, isOwn), constants);
  }

  /** `count` is always the same. */
  count(sent: readonly SentMessage[], sender: ApiTraits, count: TokenCounter): Counted {
    const isSame = this.#sender !== undefined && isSameSender(this.#sender, sender);
    const same = isSame ? sameStart(this.#sent, sent) : 0;
    const { counts, sums } = this.#counted;
    const added = this.#counted.added.filter(({ at }) => at < same);
    this.#sender = undefined;
    counts.length = same;
    sums.length = same;
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
    this.#sender = sender;
    this.#sent = sent;
    this.#counted = { counts, sums, added };
    return this.#counted;
  }

  /** The segments of the frame, and of the messages from `start` on. */
  segment(
    frame: readonly Written[],
    { prompt, sent, counts, labels, start }: SegmentInput,
  ): Segmented {
    const last = this.#source;
    const isSame = last?.labels === labels && last.frame === frame && last.start === start;
    let same = start;
    if (isSame) {
      same = Math.min(sameStart(last.prompt, prompt, start), sameStart(last.sent, sent, start));
      // Appended tools are counted anew for each request.
      for (let at = sameStart(last.counts, counts, start); at < same; at++)
        if (!areSameLists(last.counts[at] ?? NONE, counts[at] ?? NONE)) same = at;
    }
    const before: Pick<LastSource, 'prompt' | 'counts' | 'sums'> = isSame
      ? last
      : { prompt: prompt.slice(0, start), counts: counts.slice(0, start), sums: [] };
    this.#source = undefined;
    before.prompt.length = same;
    before.counts.length = same;
    before.sums.length = same - start;
    let { length, added } = before.sums.at(-1) ?? { length: frame.length, added: 0 };
    const known = length;
    const written: Written[] = [];
    for (let at = same; at < prompt.length; at++) {
      const message = prompt[at] as LanguageModelV4Message;
      for (const one of sent[at]?.segments(message, labels, counts[at] ?? NONE) ?? NONE) {
        written.push(one);
        length++;
        if (!isOwn(one.segment)) added += one.segment.tokens;
      }
      before.prompt.push(message);
      before.counts.push(counts[at] ?? NONE);
      before.sums.push({ length, added });
    }
    this.#source = { ...before, frame, labels, start, sent };
    const of = isSame ? this.#segmented : { written: frame, list: segmentsIn(frame) };
    this.#segmented = {
      written: startOf(of.written, known).concat(written),
      list: startOf(of.list, known).concat(segmentsIn(written)),
      added,
    };
    return this.#segmented;
  }
}

function startOf<T>(list: readonly T[], length: number): readonly T[] {
  return length < list.length ? list.slice(0, length) : list;
}

function segmentsIn(written: readonly Written[]): readonly Segment[] {
  return written.map(({ segment }) => segment);
}

/** A message as it is sent. What depends on it is kept as long as everything else that it depends on is the same. */
export class SentMessage {
  readonly #message: LanguageModelV4Message;
  readonly #isConstant: boolean;
  #sender: ApiTraits | undefined;
  #counts: readonly number[] = [];
  #search: string | undefined;
  #added: unknown[][] | undefined | null = null;
  #labels: readonly SegmentLabel[] = [];
  #tokens: readonly number[] = [];
  #written: readonly Written[] | undefined;

  /** `isConstant`: nobody changes the message. */
  constructor(message: LanguageModelV4Message, isConstant: boolean) {
    this.#message = message;
    this.#isConstant = isConstant;
  }

  get role(): LanguageModelV4Message['role'] {
    return this.#message.role;
  }

  /** The tokens of its parts if it holds results, else one number. `count` is always the same. */
  tokens(sender: ApiTraits, count: TokenCounter): readonly number[] {
    if (!this.#sender || !isSameSender(this.#sender, sender)) {
      const texts = textsOf(this.#message, sender);
      const files = fileTokensOf(this.#message, sender);
      const counts = texts.map((text) => (text === '' ? 0 : count(text)));
      for (const [at, tokens] of files.entries())
        if (tokens > 0) counts[at] = (counts[at] ?? 0) + tokens;
      this.#sender = sender;
      this.#counts = this.#message.role === 'tool' ? counts : [sum(counts)];
    }
    return this.#counts;
  }

  /** See `addedBy`; undefined if it appends nothing. */
  added(search: string | undefined): unknown[][] | undefined {
    if (this.#added === null || this.#search !== search) {
      const tools = addedBy(this.#message, search);
      this.#search = search;
      this.#added = tools.some((list) => list.length > 0) ? tools : undefined;
    }
    return this.#added;
  }

  /** Its segments. `message`: as it stands in the prompt, for which the labels were set. */
  segments(
    message: LanguageModelV4Message,
    of: Labels,
    tokens: readonly number[],
  ): readonly Written[] {
    if (this.#written && areSameLists(this.#tokens, tokens) && this.#isLabelled(message, of))
      return this.#written;
    const labels = labelled(message).map((value) => of.of(value, message.role));
    this.#labels = labels;
    this.#tokens = tokens;
    this.#written = this.#segments(labels, tokens);
    return this.#written;
  }

  /** Whether its labels are the same as before. */
  #isLabelled(message: LanguageModelV4Message, of: Labels): boolean {
    return labelled(message).every((value, at) => this.#labels[at] === of.of(value, message.role));
  }

  #segments(labels: readonly SegmentLabel[], tokens: readonly number[]): readonly Written[] {
    const message = this.#message;
    const kind = 'message' as const;
    if (message.role !== 'tool' || message.content.length === 0) {
      const label = labels[0] ?? 'history';
      return [writtenPart({ kind, label, tokens: sum(tokens), value: message }, this.#isConstant)];
    }
    const labelled = message.content.map((value, at) => {
      return { value, label: labels[at] ?? 'tool-results', tokens: tokens[at] ?? 0 };
    });
    return runsOf(labelled).map(({ label, tokens: counted, values }) => {
      const value = { ...message, content: values };
      return writtenPart({ kind, label, tokens: counted, value }, this.#isConstant);
    });
  }
}

/** What has a label of its own: the parts of a message if it holds results, else the message. */
function labelled(message: LanguageModelV4Message): readonly object[] {
  return message.role === 'tool' && message.content.length > 0 ? message.content : [message];
}

function isSameSender(one: ApiTraits, other: ApiTraits): boolean {
  const isSameModel = one.provider === other.provider && one.reasons === other.reasons;
  return isSameModel && one.isStored === other.isStored && one.search === other.search;
}
