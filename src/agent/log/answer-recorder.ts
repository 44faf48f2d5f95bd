import type { ModelMessage } from 'ai';
import type { LanguageModelV4StreamPart } from '../../ai-sdk/protocol/index.ts';
import type { Content, Write } from '../entries/index.ts';
import { type AgentEvent, statusOf } from '../events/index.ts';
import type { OpenAnswer } from '../state/index.ts';
import { AnswerContent } from './answer-content.ts';
import { CallDeltas } from './call-deltas.ts';
import { callEvent, type ShownCall, type ToolFacts } from './call-event.ts';
import type { Log } from './log.ts';
import { replayed } from './replay.ts';
import type { SentMessages } from './sent-messages.ts';

type Part = LanguageModelV4StreamPart;

interface RecorderOptions {
  readonly log: Log;
  readonly sent: SentMessages;
  readonly facts: ToolFacts;
  /** Whether the SDK refuses each call, because the request has no tools. */
  readonly refusesCalls: () => boolean;
  /** Takes the answer of an earlier process, which is read instead of sending the request. */
  readonly takeKnown: () => OpenAnswer | undefined;
  /** Called before each request. */
  readonly onSend: () => void;
  /** Called when an answer is complete, before the SDK knows it. If it rejects, the answer fails. */
  readonly onFinish: (finish: Extract<Part, { type: 'finish' }>) => Promise<void>;
}

/** Records the answers of one generation: what arrives is emitted, and an answer is written when it is complete. */
export class AnswerRecorder {
  readonly #options: RecorderOptions;
  readonly #deltas = new CallDeltas();
  #content = new AnswerContent();
  #calls: ShownCall[] = [];
  #failed: { readonly status: number | undefined; readonly at: number } | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** The next request is prepared, with these messages. */
  ask(messages: readonly ModelMessage[]): void {
    const { log, sent } = this.#options;
    sent.ask(messages);
    log.open.attempt = 0;
    this.#failed = undefined;
    this.#clear();
  }

  /** Toolfold's note in the answer so far. */
  get note(): Content | undefined {
    return this.#content.note;
  }

  /** The stream of an answer that is known; undefined if the request is to be sent. */
  replay(): ReadableStream<Part> | undefined {
    const known = this.#options.takeKnown();
    return known && replayed(known);
  }

  /** The request is sent, or sent again: what was shown of the attempt before is withdrawn. */
  async send(): Promise<void> {
    const { log, onSend } = this.#options;
    onSend();
    const attempt = ++log.open.attempt;
    this.#clear();
    if (attempt === 1) return;
    const { status, at } = this.#failed ?? {};
    this.#failed = undefined;
    const withdrawn = log.open.withdraw();
    if (withdrawn) void log.report(withdrawn);
    await log.report({
      type: 'retry',
      attempt,
      ...(status === undefined ? {} : { status }),
      ...(at === undefined ? {} : { wait: Math.round(performance.now() - at) }),
    });
  }

  /** The request failed, before or during its answer. */
  fail(error: unknown): void {
    this.#failed = { status: statusOf(error), at: performance.now() };
  }

  /** A part of the answer has arrived. Resolves when it was shown. */
  async take(part: Part): Promise<void> {
    this.#content.take(part);
    const events = this.#eventsOf(part);
    await Promise.all(events.map((event) => this.#options.log.emit(event)));
    if (part.type === 'finish') await this.#options.onFinish(part);
    if (part.type === 'error') this.fail(part.error);
  }

  /** The entries of a complete answer. */
  entries(
    finish: { readonly unified: string; readonly raw: string | null },
    request?: number,
  ): Write[] {
    const { parts, inputs } = this.#content;
    const unread = Object.keys(inputs).length > 0 ? { inputs } : {};
    const number = request === undefined ? {} : { request };
    const step = this.#options.log.state.step + 1;
    return [
      ['model', { step, content: [...parts], ...unread, ...number, finish }],
      ...this.#calls.map(({ event: { type: _, ...call } }): Write => ['call', call]),
      ...this.#calls.flatMap(({ event: { id, name }, answer }): Write[] =>
        answer === undefined ? [] : [['result', { id, name, error: answer, thrown: answer }]],
      ),
      ...parts.flatMap(providerResult),
    ];
  }

  /** The complete content. */
  get content(): readonly Content[] {
    return this.#content.parts;
  }

  #clear(): void {
    this.#content = new AnswerContent();
    this.#calls = [];
    this.#deltas.clear();
  }

  #eventsOf(part: Part): AgentEvent[] {
    const { facts, refusesCalls } = this.#options;
    switch (part.type) {
      case 'text-delta':
        return part.delta === '' ? [] : [{ type: 'text', text: part.delta }];
      case 'reasoning-delta':
        return part.delta === '' ? [] : [{ type: 'reasoning', text: part.delta }];
      case 'tool-input-start':
        // The input of a bridge tool is not the arguments of a real tool.
        if (facts.isReal(part.toolName)) this.#deltas.start(part.id, part.toolName);
        return [];
      case 'tool-input-delta':
        return this.#deltas.take(part.id, part.delta);
      case 'tool-call': {
        this.#deltas.end(part.toolCallId);
        const shown = callEvent(part, facts, refusesCalls());
        if (!shown) return [];
        this.#calls.push(shown);
        return [shown.event];
      }
      default:
        return [];
    }
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
