import type { MessageHistory, RequestEvent } from '@toolfold/ai-sdk';
import type {
  LanguageModelV4Middleware,
  LanguageModelV4StreamPart,
} from '@toolfold/ai-sdk/internal/protocol';
import { type ModelObject, resolveModel, retrying } from '@toolfold/ai-sdk/internal/response';
import { pick, sameStart } from '@toolfold/core/internal/values';
import {
  type LanguageModel,
  type ModelMessage,
  simulateReadableStream,
  wrapLanguageModel,
} from 'ai';
import type { Content, Kinds, Write } from '../entries/index.ts';
import { retryEvent } from '../events/index.ts';
import type { OpenAnswer } from '../state/index.ts';
import type { Log } from './log.ts';
import { ReceivedAnswer, type ToolFacts, withdrawalOf } from './received-answer.ts';

type StreamPart = LanguageModelV4StreamPart;
type Finish = Extract<StreamPart, { type: 'finish' }>;

/** The messages of the last request of an agent. The log never changes a message: each change is another object. */
export class SentMessages implements MessageHistory {
  id: readonly ModelMessage[] = [];
  after: object = {};
  changed = 0;
  readonly hasCall: (id: string) => boolean;

  /** `hasCall`: whether a call of the conversation had this id. */
  constructor(hasCall: (id: string) => boolean) {
    this.hasCall = hasCall;
  }

  /** The next request has these messages. */
  ask(list: readonly ModelMessage[]): void {
    const before = this.id;
    this.id = list;
    this.after = before;
    this.changed = before.length - sameStart(before, list);
  }
}

interface RecorderOptions extends Pick<ToolFacts, 'isReal' | 'refusesCalls'> {
  readonly log: Log;
  readonly sent: SentMessages;
  /** How often a request that failed is sent again. */
  readonly retries: number | undefined;
  /** Called when an answer is written, before the SDK knows it. If it rejects, the answer fails. */
  readonly onAnswer: (finish: Finish) => Promise<void>;
}

/**
 * Records the answers of one turn: what arrives is emitted, and an answer is written when it is complete, before any of
 * its calls runs.
 */
export class AnswerRecorder {
  readonly #options: RecorderOptions;
  #answer = new ReceivedAnswer();
  #schemaOf: RequestEvent['schemaOf'] | undefined;
  /** The number of the last request; undefined if the request of this step was not sent, or has no number. */
  #number: number | undefined;
  /** Whether it was said already that the request is sent again. */
  #isRetrySaid = false;
  /** An answer of an earlier process that was not read yet. It stands in place of the first request. */
  replay: OpenAnswer | undefined;

  constructor(options: RecorderOptions, replay: OpenAnswer | undefined) {
    this.#options = options;
    this.replay = replay;
  }

  /** The next request is prepared, with these messages. */
  ask(messages: readonly ModelMessage[]): void {
    const { log, sent } = this.#options;
    sent.ask(messages);
    log.open = this.#answer = new ReceivedAnswer();
    this.#number = undefined;
  }

  /** The request is announced, and has this number. */
  announced({ schemaOf }: RequestEvent, number: number): void {
    this.#schemaOf = schemaOf;
    this.#number = number;
  }

  /** Whether the request of this step was sent, and its answer is not complete. */
  get isInFlight(): boolean {
    return this.#options.log.open.attempt > 0;
  }

  /** Toolfold's note in the answer so far. */
  get note(): Content | undefined {
    return this.#answer.note;
  }

  /**
   * Wraps a model so that each part is recorded before the SDK gets it, and a request that failed is sent again. The SDK
   * drops parts that nobody has read. An answer that is read again is recorded already.
   */
  watch(model: LanguageModel): ModelObject {
    const middleware: LanguageModelV4Middleware = {
      specificationVersion: 'v4',
      wrapStream: async ({ doStream }) => {
        const { replay } = this;
        this.replay = undefined;
        if (replay) return { stream: replayed(replay) };
        await this.#send();
        const { stream, ...rest } = await doStream();
        let hasEnded = false;
        const recording = new TransformStream<StreamPart, StreamPart>({
          transform: async (part, controller) => {
            hasEnded ||= part.type === 'finish' || part.type === 'error';
            await this.#take(part);
            controller.enqueue(part);
          },
          flush: () => {
            if (!hasEnded) throw new Error('The answer of the model broke off without an end.');
          },
        });
        return { ...rest, stream: stream.pipeThrough(recording) };
      },
    };
    const onRetry = async (error: unknown, wait: number): Promise<void> => {
      await this.#repeats(this.#answer, error, wait);
      this.#isRetrySaid = true;
    };
    return retrying(wrapLanguageModel({ model: resolveModel(model), middleware }), {
      retries: this.#options.retries,
      onRetry,
    });
  }

  /** The request is sent, or sent again: what was shown of the attempt before is withdrawn. */
  async #send(): Promise<void> {
    const { log } = this.#options;
    const before = log.open;
    log.open = this.#answer = new ReceivedAnswer(before.attempt + 1);
    this.withdraw(before);
    // An answer that broke off is asked for again at once.
    if (before.attempt > 0 && !this.#isRetrySaid) await this.#repeats(before, before.error, 0);
    this.#isRetrySaid = false;
  }

  /** Withdraws what was shown of an answer that is not kept. */
  withdraw(answer: ReceivedAnswer = this.#answer): void {
    const withdrawn = withdrawalOf(answer);
    if (withdrawn) void this.#options.log.report({ type: 'discarded', ...withdrawn });
  }

  #repeats({ attempt }: ReceivedAnswer, error: unknown, wait: number): Promise<void> {
    return this.#options.log.report(retryEvent(error, wait, attempt));
  }

  /** A part of the answer has arrived. Resolves when it was shown. */
  async #take(part: StreamPart): Promise<void> {
    const { log, onAnswer, isReal, refusesCalls } = this.#options;
    const tools = { isReal, refusesCalls, schemaOf: this.#schemaOf };
    await Promise.all(this.#answer.take(part, tools).map((event) => log.emit(event)));
    if (part.type !== 'finish' || part.finishReason.unified === 'error') return;
    await log.append(...this.#entries(part)).catch((error) => {
      this.withdraw();
      throw error;
    });
    await onAnswer(part);
  }

  /** The entries of a complete answer. */
  #entries({ finishReason: { unified, raw } }: Finish): Write[] {
    const { parts: content, inputs, shown } = this.#answer;
    const unread = Object.keys(inputs).length > 0 ? { inputs } : {};
    const request = this.#number;
    const step = this.#options.log.state.step + 1;
    const number = request === undefined ? {} : { request };
    return [
      ['model', { step, content, ...unread, ...number, finish: { unified, raw: raw ?? null } }],
      ...shown.map(({ event: { type: _, ...call } }): Write => ['call', call]),
      ...shown.flatMap(({ event: { id, name }, answer }): Write[] =>
        answer === undefined ? [] : [['result', { id, name, error: answer, thrown: answer }]],
      ),
      ...content.flatMap(providerResult),
    ];
  }
}

/** The result of a tool that the provider has run. */
function providerResult(part: Content): Write[] {
  if (part.type !== 'tool-result') return [];
  const { toolCallId: id, toolName: name, output } = part;
  const value = 'value' in output ? output.value : '';
  if (output.type !== 'error-json') return [['result', { id, name, output: value }]];
  return [
    ['result', { id, name, error: typeof value === 'string' ? value : JSON.stringify(value) }],
  ];
}

type ReplayedPart = LanguageModelV4StreamPart;

const NO_USAGE: Extract<ReplayedPart, { type: 'finish' }>['usage'] = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

/** A recorded answer as the stream that it came in, so that the AI SDK runs its calls. */
function replayed({
  content,
  inputs = {},
  finish,
}: Omit<Kinds['model'], 'step'>): ReadableStream<ReplayedPart> {
  const parts: ReplayedPart[] = [
    { type: 'stream-start', warnings: [] },
    ...content.flatMap((part, index) => partsOf(part, `${index}`, inputs)),
    {
      type: 'finish',
      usage: NO_USAGE,
      finishReason: { unified: finish.unified as 'stop', raw: finish.raw ?? undefined },
    },
  ];
  return simulateReadableStream({ chunks: parts, initialDelayInMs: null, chunkDelayInMs: null });
}

function partsOf(
  part: Content,
  id: string,
  inputs: Readonly<Record<string, string>>,
): ReplayedPart[] {
  const options = 'providerOptions' in part ? part.providerOptions : undefined;
  const metadata = options ? { providerMetadata: options } : {};
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return [
        { type: `${part.type}-start`, id, ...metadata },
        { type: `${part.type}-delta`, id, delta: part.text },
        { type: `${part.type}-end`, id, ...metadata },
      ] as ReplayedPart[];
    case 'tool-call': {
      const input = inputs[part.toolCallId] ?? JSON.stringify(part.input);
      const call = pick(part, 'type', 'toolCallId', 'toolName', 'providerExecuted');
      return [{ ...call, input, ...metadata }];
    }
    case 'tool-result': {
      const { toolCallId, toolName, output } = part;
      const result = 'value' in output ? (output.value as never) : '';
      const failed = output.type === 'error-json' ? { isError: true } : {};
      return [{ type: 'tool-result', toolCallId, toolName, result, ...failed, ...metadata }];
    }
    case 'custom':
    case 'file':
    case 'reasoning-file': {
      const { providerOptions: _, ...rest } = part;
      return [{ ...rest, ...metadata } as ReplayedPart];
    }
    default:
      return [];
  }
}
