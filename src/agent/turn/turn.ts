import type { ModelMessage, TextStreamPart, ToolSet } from 'ai';
import type { RequestEvent, SchemaSource } from '../../ai-sdk/index.ts';
import type { LanguageModelV4StreamPart } from '../../ai-sdk/protocol/index.ts';
import type { CallObserver } from '../../host/index.ts';
import { openCalls, placeOfAnswer } from '../conversation/index.ts';
import type { AgentEvent } from '../events/index.ts';
import type { OpenAnswer } from '../journal/index.ts';
import { Attempts } from './attempts.ts';
import { Step } from './step.ts';
import { StepTexts } from './step-texts.ts';
import { TurnEvents } from './turn-events.ts';

type Part = TextStreamPart<ToolSet>;
type Call = Extract<Part, { type: 'tool-call' }>;
type ToolOutput = Extract<Part, { type: 'tool-result' | 'tool-error' }>;

/** The state of a running turn. It can build the turn's messages even if the stream is interrupted. */
export class Turn {
  /** Tool rounds at the last request, set once they are used up. */
  rounds = 0;
  /** Tool rounds of this turn that a compaction has removed from the messages. */
  cutRounds = 0;
  /** Set where the generation stopped because its next request would not fit into the context window. */
  isFull = false;
  /** Tools of the current generation. */
  tools: ToolSet = {};
  /** The number of the last request; undefined if the request of this step was not sent, or has no number. */
  sent: number | undefined;
  /** An answer of an earlier process that was not read yet. */
  replay: OpenAnswer | undefined;
  readonly events: TurnEvents = new TurnEvents();
  /** Promises of running tools, with the tool's name. */
  readonly running: Map<Promise<void>, string> = new Map();
  /** Fires when the turn is cancelled. */
  readonly signal: AbortSignal;
  readonly #texts = new StepTexts();
  /** Functions that end the run of a call, by call id. */
  readonly #ends = new Map<string, () => void>();
  #reached: ModelMessage[];
  /** Steps of the current generation: the calls that run before the first request, then one per request. */
  #steps: Step[];
  /** Index of the step that is being read, and the number of steps read to their end. */
  #read = { at: 0, ended: 0 };
  #calls = new Set<string>();
  #attempts = new Attempts();
  #isOver = false;

  /** `replay`: the answer of an earlier process, which stands in place of the first request. */
  constructor(messages: ModelMessage[], signal: AbortSignal, replay?: OpenAnswer) {
    this.signal = signal;
    this.replay = replay;
    this.#reached = messages;
    this.#steps = [new Step(openCalls(messages))];
    this.begin(messages);
  }

  /** All text of the turn; the texts of its steps are separated. */
  get text(): string {
    return this.#texts.joined;
  }

  /** The messages so far, without the current step. */
  get reached(): ModelMessage[] {
    return this.#reached;
  }

  /** Sets the messages at the begin or the end of a generation. */
  begin(messages: ModelMessage[]): void {
    const open = openCalls(messages);
    this.#reached = messages;
    this.#steps = [new Step(open)];
    this.#read = { at: 0, ended: 0 };
    this.#calls = new Set(open.map(({ id }) => id));
  }

  /** Starts the next step with these messages. They include all steps before, read or not. */
  ask(messages: ModelMessage[]): void {
    this.#last.keep(messages.slice(this.#reached.length));
    this.#reached = messages;
    this.#attempts = new Attempts();
    this.sent = undefined;
    this.#steps.push(new Step());
  }

  /** The request of the step is sent or retried. */
  send(): void {
    const retry = this.#attempts.send();
    this.#last.send();
    if (retry) this.emitForStep(retry);
  }

  /** The request of the step failed. */
  fail(error: unknown): void {
    this.#attempts.fail(error);
  }

  /** Records how the model got the schemas of tools, as of the request of the step. `number`: of the request. */
  request({ schemaOf }: RequestEvent, number: number): void {
    this.#last.schemaOf = schemaOf;
    this.sent = number;
  }

  /** How the model got the schema of a tool, as of the last request. */
  schemaNow(name: string): SchemaSource | undefined {
    return this.#last.schemaOf?.(name);
  }

  /** Records how long a tool took, in milliseconds. */
  took(id: string, duration: number): void {
    this.#last.took(id, duration);
  }

  /** How the model got the schema of a tool, in the step that is being read. */
  schemaOf(name: string): SchemaSource | undefined {
    return this.#reading.schemaOf?.(name);
  }

  /** Whether nobody knows how a tool ended, in the step that is being read. */
  isUnknown(id: string): boolean {
    return this.#reading.isUnknown(id);
  }

  /** How long a tool took, in the step that is being read. */
  durationOf(id: string): number | undefined {
    return this.#reading.durationOf(id);
  }

  /** Records a part of the model's answer before the SDK gets it. */
  write(part: LanguageModelV4StreamPart): void {
    this.#last.write(part);
  }

  /** The answer to the last request so far. */
  get answer(): Step['answer'] {
    return this.#last.answer;
  }

  /** The SDK is about to run a call. */
  enter(call: Call): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ends.get(call.toolCallId)?.();
    this.running.set(promise, call.toolName);
    this.#ends.set(call.toolCallId, () => this.running.delete(promise) && resolve());
    this.#last.enter(call);
  }

  /** The call has a result or an error. */
  leave(outcome: ToolOutput): void {
    this.#last.end(outcome);
    this.#ends.get(outcome.toolCallId)?.();
  }

  /** Records each run before it begins. After the turn was interrupted, no run begins. */
  readonly observer: CallObserver = {
    started: ({ id }) => {
      if (this.#isOver || this.signal.aborted)
        throw new Error('The call was not run: the turn was cancelled first.');
      this.#last.begin(id);
    },
  };

  /** Records a part that was read from the stream. Returns events to emit with it. */
  read(part: Part): readonly AgentEvent[] {
    if (part.type === 'start-step') this.#read.at++;
    if (part.type === 'tool-call') this.#calls.add(part.toolCallId);
    const step = this.#reading;
    step.read(part);
    if (part.type !== 'finish-step') return [];
    this.#read.ended++;
    return step.withdrawn();
  }

  /** Records an emitted event, so that nothing is emitted twice and discarded parts can be withdrawn. */
  record(event: AgentEvent): void {
    if (event.type === 'text') this.#texts.add(this.#reading, event.text);
    if (event.type === 'discarded' && event.text !== undefined)
      this.#texts.withdraw(event.text, event.kept?.text);
    this.#reading.emitted.record(event);
  }

  /** Emits an event of the step that starts now, after all events of earlier steps. */
  emitForStep(event: AgentEvent): void {
    const before = this.#steps.length - 2;
    this.events.push(event, () => this.#read.ended >= before);
  }

  /** Emits an event of a running call, after the `call` event. */
  emitForCall(id: string, event: AgentEvent): void {
    this.events.push(event, () => this.#calls.has(id));
  }

  /** Whether the answer to the last request stays in the messages of an interrupted turn. */
  get keepsAnswer(): boolean {
    return this.#last.hasRun;
  }

  /** The messages of an interrupted turn. Closes the turn: no tool starts any more. */
  async messages(): Promise<ModelMessage[]> {
    this.#isOver = true;
    const last = this.#last;
    if (last.hasRun) return [...this.#reached, ...(await last.messages(this.tools))];
    if (!last.isSent) return this.#reached;
    return [...this.#reached, ...placeOfAnswer(this.#reached, last.note)];
  }

  /**
   * For an interrupted turn: the kept steps that were not read to their end, in order. A step counts
   * as read when the next one is requested.
   */
  *unreadSteps(): Iterable<Step> {
    while (this.#read.at < this.#steps.length) {
      const step = this.#reading;
      if (step === this.#last && !step.hasRun) return;
      yield step;
      this.#read.at++;
      this.#read.ended = Math.max(this.#read.ended, this.#read.at - 1);
    }
  }

  /** For an interrupted turn: withdraws emitted parts of an answer that is not kept. */
  discarded(): AgentEvent | undefined {
    const last = this.#last;
    if (last.hasRun || !last.isSent) return;
    return last.emitted.discarded();
  }

  get #last(): Step {
    return this.#steps.at(-1) as Step;
  }

  get #reading(): Step {
    return this.#steps[Math.min(this.#read.at, this.#steps.length - 1)] as Step;
  }
}
