import { KEY, readStamp } from '@toolfold/core/internal/host';
import { anyInput, isNotePart } from '../messages/index.ts';
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4Message,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from '../protocol/index.ts';
import { CallIds } from './call-ids.ts';
import type { ResponseCalls } from './incoming.ts';

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
    incoming: ResponseCalls | undefined,
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

type AssistantMessage = Extract<LanguageModelV4Message, { role: 'assistant' }>;
type AssistantPart = AssistantMessage['content'][number];

/** The content of responses as the message that the SDK makes of it in its next prompt. */
function assistantMessage(content: readonly LanguageModelV4Content[]): AssistantMessage {
  return { role: 'assistant', content: content.flatMap((part) => partOf(part) ?? []) };
}

function partOf(part: LanguageModelV4Content): AssistantPart | undefined {
  const options = part.providerMetadata ? { providerOptions: part.providerMetadata } : {};
  switch (part.type) {
    case 'text':
      if (part.text === '' && !part.providerMetadata) return;
      return { type: 'text', text: part.text, ...options };
    case 'reasoning':
      return { type: 'reasoning', text: part.text, ...options };
    case 'custom':
      return { type: 'custom', kind: part.kind, ...options };
    case 'file':
    case 'reasoning-file':
      return {
        type: part.type,
        data: part.data,
        mediaType: part.mediaType,
        ...options,
      } as AssistantPart;
    case 'tool-call': {
      const { toolCallId, toolName, providerExecuted } = part;
      const common = { type: part.type, toolCallId, toolName, input: anyInput(part.input) };
      return { ...common, ...(providerExecuted ? { providerExecuted } : {}), ...options };
    }
    case 'tool-result': {
      const { toolCallId, toolName, result, isError } = part;
      const isText = typeof result === 'string';
      const type = isError ? 'error-json' : isText ? 'text' : 'json';
      const output = { type, value: result } as Extract<
        AssistantPart,
        { type: 'tool-result' }
      >['output'];
      return { type: part.type, toolCallId, toolName, output, ...options };
    }
    default:
      // Sources and questions about approvals are not part of a prompt.
      return;
  }
}

type Counts = Readonly<Record<string, number | undefined>>;

/** The sum of the usage of several requests. A count that no request reports stays unknown. */
function sumOfUsage(usages: readonly LanguageModelV4Usage[]): LanguageModelV4Usage {
  const [only] = usages;
  if (only && usages.length === 1) return only;
  return {
    inputTokens: sum(usages.map(({ inputTokens }) => inputTokens)),
    outputTokens: sum(usages.map(({ outputTokens }) => outputTokens)),
  } as LanguageModelV4Usage;
}

function sum(all: readonly Counts[]): Counts {
  const total: Record<string, number | undefined> = {};
  for (const counts of all)
    for (const [key, count] of Object.entries(counts))
      total[key] = count === undefined ? total[key] : (total[key] ?? 0) + count;
  return total;
}

/** The counts of one request as JSON, for metadata. */
function usageAsJson({ inputTokens, outputTokens }: LanguageModelV4Usage): {
  inputTokens: Record<string, number>;
  outputTokens: Record<string, number>;
} {
  return { inputTokens: knownCounts(inputTokens), outputTokens: knownCounts(outputTokens) };
}

function knownCounts(counts: Counts): Record<string, number> {
  const entries = Object.entries(counts).filter(
    (entry): entry is [string, number] => entry[1] !== undefined,
  );
  return Object.fromEntries(entries);
}
