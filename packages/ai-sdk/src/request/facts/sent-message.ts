import type { TokenCounter } from '@toolfold/core/internal/tools/tool';
import { areSameLists } from '@toolfold/core/internal/tools/values';
import { addedBy } from '../../native/index.ts';
import type { LanguageModelV4Message } from '../../protocol/index.ts';
import type { Labels, SegmentLabel } from './labels.ts';
import { fileTokensOf, type Sender, textsOf } from './message-texts.ts';
import { runsOf, sum, type Written, writtenPart } from './segment.ts';

/** A message as it is sent. What depends on it is kept as long as everything else that it depends on is the same. */
export class SentMessage {
  readonly #message: LanguageModelV4Message;
  readonly #isConstant: boolean;
  #sender: Sender | undefined;
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
  tokens(sender: Sender, count: TokenCounter): readonly number[] {
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

export function isSameSender(one: Sender, other: Sender): boolean {
  const isSameModel = one.provider === other.provider && one.reasons === other.reasons;
  return isSameModel && one.isStored === other.isStored && one.search === other.search;
}
