import { KEY, readStamp } from '@toolfold/core/internal/host';
import { isNotePart } from '../metadata/index.ts';
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from '../protocol/index.ts';
import { CallIds, type Incoming } from '../response/index.ts';
import { assistantMessage } from './assistant-message.ts';
import { sumOfUsage, usageAsJson } from './usage.ts';

/** The most rounds that one model call answers itself. Further loads are ordinary steps. */
const MAX_ROUNDS = 4;

/** The reasons to finish after which the SDK runs no tools either. */
const FINAL: readonly LanguageModelV4FinishReason['unified'][] = [
  'length',
  'content-filter',
  'error',
  'interrupted',
];

/** One model call of the SDK: the rounds so far, each a request and its response. */
export class ModelCall {
  /** The parameters of the SDK. */
  params: LanguageModelV4CallOptions;
  /** The mark of the tool set when the step began. */
  mark: number | undefined;
  /** Undefined with the off switch: then the ids stay the provider's. */
  readonly ids: CallIds | undefined;
  readonly content: LanguageModelV4Content[] = [];
  readonly #usages: LanguageModelV4Usage[] = [];
  readonly #answers: boolean;

  /**
   * `answers`: whether loads are answered inside the model call. `ids`: whether calls get ids of their own, and
   * which ids are used by calls whose messages are gone.
   */
  constructor(
    params: LanguageModelV4CallOptions,
    answers: boolean,
    ids: ((id: string) => boolean) | false,
  ) {
    this.params = params;
    this.#answers = answers;
    this.ids = ids ? new CallIds(params.prompt, ids) : undefined;
  }

  /** Whether the app wants JSON as the answer. */
  get isJson(): boolean {
    return this.params.responseFormat?.type === 'json';
  }

  /** The number of responses so far. */
  get rounds(): number {
    return this.#usages.length;
  }

  /** The number of the present round; undefined if its loads are left to ordinary steps. */
  get round(): number | undefined {
    return this.#answers && this.rounds < MAX_ROUNDS ? this.rounds : undefined;
  }

  /** The parameters of the next request: the messages of the SDK, then the rounds so far. */
  next(): LanguageModelV4CallOptions {
    if (this.content.length === 0) return this.params;
    return { ...this.params, prompt: [...this.params.prompt, assistantMessage(this.content)] };
  }

  /** Adds a response. Returns the results of the calls that were answered, and whether to ask the model again. */
  async add(
    content: readonly LanguageModelV4Content[],
    incoming: Incoming | undefined,
    {
      usage,
      finishReason,
    }: { usage: LanguageModelV4Usage; finishReason: LanguageModelV4FinishReason },
  ): Promise<{ results: LanguageModelV4Content[]; isAgain: boolean }> {
    const inside = incoming?.inside;
    const isAgain =
      inside !== undefined &&
      inside.count > 0 &&
      inside.areAll &&
      !FINAL.includes(finishReason.unified) &&
      !content.some(({ type }) => type === 'tool-approval-request');
    const results = inside?.count
      ? await inside.results(isAgain ? trailing(content) : undefined)
      : [];
    this.content.push(...content, ...results);
    this.#usages.push(usage);
    return { results, isAgain };
  }

  /** The usage of all requests together. */
  usage(): LanguageModelV4Usage {
    return sumOfUsage(this.#usages);
  }

  /** The metadata of the last response, with the usage of each request if there were several. */
  metadata(last: SharedV4ProviderMetadata | undefined): SharedV4ProviderMetadata | undefined {
    if (this.rounds < 2) return last;
    return { ...last, [KEY]: { ...last?.[KEY], requests: this.#usages.map(usageAsJson) } };
  }
}

/** The number of parts after the last call that was answered here. Only parts that stay in messages count. */
function trailing(content: readonly LanguageModelV4Content[]): number {
  const { content: parts } = assistantMessage(content);
  const last = parts.findLastIndex(
    (part) => part.type === 'tool-call' && readStamp(part.providerOptions)?.k !== undefined,
  );
  return parts.slice(last + 1).filter((part) => !isNotePart(part)).length;
}
