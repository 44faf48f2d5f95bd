import { type LanguageModel, type ModelMessage, wrapLanguageModel } from 'ai';
import type { RequestEvent } from '../../ai-sdk/index.ts';
import { type ModelObject, resolveModel } from '../../ai-sdk/model/index.ts';
import type {
  LanguageModelV4Middleware,
  LanguageModelV4StreamPart,
} from '../../ai-sdk/protocol/index.ts';
import { pick } from '../../tools/values/index.ts';
import type { Content, Write } from '../entries/index.ts';
import { type AgentEvent, statusOf } from '../events/index.ts';
import type { OpenAnswer } from '../state/index.ts';
import { AnswerContent } from './answer-content.ts';
import { callEvent, type ShownCall } from './call-event.ts';
import type { Log } from './log.ts';
import { replayed } from './replay.ts';
import type { SentMessages } from './sent-messages.ts';

type Part = LanguageModelV4StreamPart;
type Finish = Extract<Part, { type: 'finish' }>;

interface RecorderOptions {
  readonly log: Log;
  readonly sent: SentMessages;
  /** Whether a name is that of a real tool and not of a bridge tool. */
  readonly isReal: (name: string) => boolean;
  /** Whether the SDK refuses each call, because the request has no tools. */
  readonly refusesCalls: () => boolean;
  /** Called when an answer is written, before the SDK knows it. If it rejects, the answer fails. */
  readonly onAnswer: (finish: Finish) => Promise<void>;
}

/**
 * Records the answers of one turn: what arrives is emitted, and an answer is written when it is complete, before any of
 * its calls runs.
 */
export class AnswerRecorder {
  readonly #options: RecorderOptions;
  /** The arguments of calls that are being written, by call id: the part that is not emitted yet. */
  readonly #held = new Map<string, { readonly name: string; text: string }>();
  #content = new AnswerContent();
  #calls: ShownCall[] = [];
  #failed: { readonly status: number | undefined; readonly at: number } | undefined;
  #schemaOf: RequestEvent['schemaOf'] | undefined;
  /** The number of the last request; undefined if the request of this step was not sent, or has no number. */
  #number: number | undefined;
  /** Whether the request of this step was sent, and its answer is not complete. */
  isInFlight = false;
  /** An answer of an earlier process that was not read yet. It stands in place of the first request. */
  replay: OpenAnswer | undefined;
  /** Whether the SDK has read it, and its next request is not prepared yet. */
  isReplayed = false;

  constructor(options: RecorderOptions, replay: OpenAnswer | undefined) {
    this.#options = options;
    this.replay = replay;
  }

  /** The next request is prepared, with these messages. */
  ask(messages: readonly ModelMessage[]): void {
    const { log, sent } = this.#options;
    sent.ask(messages);
    log.open.attempt = 0;
    this.#failed = undefined;
    this.#number = undefined;
    this.isInFlight = false;
    this.isReplayed = false;
    this.#clear();
  }

  /** The request is announced, and has this number. */
  announced({ schemaOf }: RequestEvent, number: number): void {
    this.#schemaOf = schemaOf;
    this.#number = number;
  }

  /** Toolfold's note in the answer so far. */
  get note(): Content | undefined {
    return this.#content.note;
  }

  /**
   * Wraps a model so that each part is recorded before the SDK gets it. The SDK drops parts that nobody has read. An
   * answer that is read again is recorded already.
   */
  watch(model: LanguageModel): ModelObject {
    const middleware: LanguageModelV4Middleware = {
      specificationVersion: 'v4',
      wrapStream: async ({ doStream }) => {
        const { replay } = this;
        this.replay = undefined;
        this.isReplayed = replay !== undefined;
        if (replay) return { stream: replayed(replay) };
        await this.#send();
        const { stream, ...rest } = await doStream().then(undefined, (error) => {
          this.#fail(error);
          throw error;
        });
        const recording = new TransformStream<Part, Part>({
          transform: async (part, controller) => {
            await this.#take(part);
            controller.enqueue(part);
          },
        });
        return { ...rest, stream: stream.pipeThrough(recording) };
      },
    };
    return wrapLanguageModel({ model: resolveModel(model), middleware });
  }

  /** The request is sent, or sent again: what was shown of the attempt before is withdrawn. */
  async #send(): Promise<void> {
    const { log } = this.#options;
    this.isInFlight = true;
    const attempt = ++log.open.attempt;
    this.#clear();
    if (attempt === 1) return;
    const { status, at } = this.#failed ?? {};
    this.#failed = undefined;
    const withdrawn = log.open.withdraw();
    if (withdrawn) void log.report(withdrawn);
    const wait = at === undefined ? undefined : Math.round(performance.now() - at);
    await log.report({ type: 'retry', attempt, ...pick({ status, wait }, 'status', 'wait') });
  }

  /** The request failed, before or during its answer. */
  #fail(error: unknown): void {
    this.#failed = { status: statusOf(error), at: performance.now() };
  }

  /** A part of the answer has arrived. Resolves when it was shown. */
  async #take(part: Part): Promise<void> {
    const { log, onAnswer } = this.#options;
    this.#content.take(part);
    await Promise.all(this.#eventsOf(part).map((event) => log.emit(event)));
    if (part.type === 'error') this.#fail(part.error);
    if (part.type !== 'finish' || part.finishReason.unified === 'error') return;
    await log.append(...this.#entries(part));
    this.isInFlight = false;
    await onAnswer(part);
  }

  /** The entries of a complete answer. */
  #entries({ finishReason: { unified, raw } }: Finish): Write[] {
    const { parts, inputs } = this.#content;
    const unread = Object.keys(inputs).length > 0 ? { inputs } : {};
    const request = this.#number;
    const step = this.#options.log.state.step + 1;
    const content = [...parts];
    const number = request === undefined ? {} : { request };
    return [
      ['model', { step, content, ...unread, ...number, finish: { unified, raw: raw ?? null } }],
      ...this.#calls.map(({ event: { type: _, ...call } }): Write => ['call', call]),
      ...this.#calls.flatMap(({ event: { id, name }, answer }): Write[] =>
        answer === undefined ? [] : [['result', { id, name, error: answer, thrown: answer }]],
      ),
      ...parts.flatMap(providerResult),
    ];
  }

  #clear(): void {
    this.#content = new AnswerContent();
    this.#calls = [];
    this.#held.clear();
  }

  #eventsOf(part: Part): AgentEvent[] {
    const { isReal, refusesCalls } = this.#options;
    switch (part.type) {
      case 'text-delta':
        return part.delta === '' ? [] : [{ type: 'text', text: part.delta }];
      case 'reasoning-delta':
        return part.delta === '' ? [] : [{ type: 'reasoning', text: part.delta }];
      case 'tool-input-start':
        // The input of a bridge tool is not the arguments of a real tool.
        if (isReal(part.toolName)) this.#held.set(part.id, { name: part.toolName, text: '' });
        return [];
      case 'tool-input-delta':
        return this.#delta(part.id, part.delta);
      case 'tool-call': {
        this.#held.delete(part.toolCallId);
        const schemaOf = (name: string) => this.#schemaOf?.(name);
        const shown = callEvent(part, { isReal, schemaOf }, refusesCalls());
        if (!shown) return [];
        this.#calls.push(shown);
        return [shown.event];
      }
      default:
        return [];
    }
  }

  /**
   * A part of the arguments of a call. Each is held until the next one comes, and the last one is dropped: it may be
   * the whole text of a call that could only be read at its end, and the `call` event follows at once.
   */
  #delta(id: string, delta: string): AgentEvent[] {
    const open = this.#held.get(id);
    if (!open) return [];
    const { name, text } = open;
    open.text = delta;
    return text === '' ? [] : [{ type: 'call-delta', id, name, text }];
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
