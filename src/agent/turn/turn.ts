import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { ModelMessage, TextStreamPart, ToolSet } from 'ai';
import type { CallObserver } from '../../host/index.ts';
import { openCalls, placeOfAnswer } from '../conversation/index.ts';
import type { AgentEvent } from '../events/index.ts';
import { Step } from './step.ts';
import { TurnEvents } from './turn-events.ts';

type Part = TextStreamPart<ToolSet>;
type Call = Extract<Part, { type: 'tool-call' }>;
type ToolOutput = Extract<Part, { type: 'tool-result' | 'tool-error' }>;

/** A turn under way: what it has come to, also where its stream breaks off. */
export class Turn {
  text = '';
  /** Rounds of tools at the last request, once they are spent. */
  rounds = 0;
  /** Those of the generation under way. */
  tools: ToolSet = {};
  readonly events: TurnEvents = new TurnEvents();
  /** Runs of tools under way, and whose they are. */
  readonly running: Map<Promise<void>, string> = new Map();
  readonly #signal: AbortSignal;
  /** By call, what ends its run. */
  readonly #ends = new Map<string, () => void>();
  #reached: ModelMessage[];
  /** Of the generation under way: what runs ahead of the first request, then one for each request. */
  #steps: Step[];
  /** The step that is being read, and how many have been read to their end. */
  #read = { at: 0, ended: 0 };
  #calls = new Set<string>();
  #isOver = false;

  constructor(messages: ModelMessage[], signal: AbortSignal) {
    this.#signal = signal;
    this.#reached = messages;
    this.#steps = [new Step(openCalls(messages))];
    this.begin(messages);
  }

  /** The messages as far as the turn has come, the step under way aside. */
  get reached(): ModelMessage[] {
    return this.#reached;
  }

  /** A generation begins, or has ended, with these messages. */
  begin(messages: ModelMessage[]): void {
    const open = openCalls(messages);
    this.#reached = messages;
    this.#steps = [new Step(open)];
    this.#read = { at: 0, ended: 0 };
    this.#calls = new Set(open.map(({ id }) => id));
  }

  /** The next step is asked for with these messages: all before it is in them, read or not. */
  ask(messages: ModelMessage[]): void {
    this.#last.keep(messages.slice(this.#reached.length));
    this.#reached = messages;
    this.#steps.push(new Step());
  }

  /** The request of the step is sent, for the first time or once more. */
  send(): void {
    this.#last.send();
  }

  /** What the model answers, before the SDK has it. */
  write(part: LanguageModelV4StreamPart): void {
    this.#last.write(part);
  }

  /** A call is on its way to its tool. */
  enter(call: Call): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ends.get(call.toolCallId)?.();
    this.running.set(promise, call.toolName);
    this.#ends.set(call.toolCallId, () => this.running.delete(promise) && resolve());
    this.#last.enter(call);
  }

  /** The call has come to something. */
  leave(outcome: ToolOutput): void {
    this.#last.end(outcome);
    this.#ends.get(outcome.toolCallId)?.();
  }

  /** Records each run before it begins; once the turn breaks off, none does. */
  readonly observer: CallObserver = {
    started: ({ id }) => {
      if (this.#isOver || this.#signal.aborted)
        throw new Error('It was not run: the turn was cancelled before.');
      this.#last.begin(id);
    },
  };

  /** Takes in what has been read of the stream; what comes of that is to be emitted with it. */
  read(part: Part): readonly AgentEvent[] {
    if (part.type === 'start-step') this.#read.at++;
    if (part.type === 'tool-call') this.#calls.add(part.toolCallId);
    const step = this.#reading;
    step.read(part);
    if (part.type !== 'finish-step') return [];
    this.#read.ended++;
    return step.withdrawn();
  }

  /** Takes note of what is emitted: nothing is emitted twice, and what is not kept is withdrawn. */
  tell(event: AgentEvent): void {
    if (event.type === 'text') this.text += event.text;
    if (event.type === 'discarded' && event.text !== undefined) {
      const at = this.text.lastIndexOf(event.text);
      if (at >= 0) this.text = this.text.slice(0, at) + this.text.slice(at + event.text.length);
    }
    this.#reading.emitted.take(event);
  }

  /** Tells an event of the step that is now asked for, behind all that was read before it. */
  tellOfStep(event: AgentEvent): void {
    const before = this.#steps.length - 2;
    this.events.push(event, () => this.#read.ended >= before);
  }

  /** Tells an event of a call under way, behind the call itself. */
  tellOfCall(id: string, event: AgentEvent): void {
    this.events.push(event, () => this.#calls.has(id));
  }

  /** What a turn that broke off has come to, for good: no tool begins to run any more. */
  async messages(): Promise<ModelMessage[]> {
    this.#isOver = true;
    const last = this.#last;
    if (last.hasRun) return [...this.#reached, ...(await last.messages(this.tools))];
    if (!last.isSent) return this.#reached;
    return [...this.#reached, ...placeOfAnswer(this.#reached, last.note)];
  }

  /**
   * Of a turn that broke off: the steps that are kept and were not read to their end, in order. Each
   * counts as read when the next one is asked for.
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

  /** Of a turn that broke off: takes back what was emitted of an answer that is not kept. */
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
