import type { ModelMessage, TextStreamPart, ToolSet } from 'ai';
import { BrokenStep } from './broken-step.ts';
import type { AgentEvent } from './events.ts';
import { openCalls } from './history.ts';
import { TurnEvents } from './turn-events.ts';

type Part = TextStreamPart<ToolSet>;

/** What a tool came to, whoever has read it. */
export interface Outcome {
  readonly name: string;
  readonly input: unknown;
  readonly result: { readonly output: unknown } | { readonly error: unknown };
}

/** A turn under way: what it has come to, also where its stream breaks off. */
export class Turn {
  text = '';
  /** Rounds of tools at the last request, once they are spent. */
  rounds = 0;
  /** Those of the generation under way. */
  tools: ToolSet = {};
  readonly events: TurnEvents = new TurnEvents();
  /** Runs of tools under way, and whose they are. */
  readonly running: Map<Promise<unknown>, string> = new Map();
  /** By call, what tools came to until the stream tells it. */
  readonly #outcomes = new Map<string, Outcome>();
  readonly #step = new BrokenStep();
  #reached: ModelMessage[];
  /** Steps of the generation that have been asked for, and that have been read to their beginning and end. */
  #steps = { asked: 0, begun: 0, ended: 0 };
  #calls = new Set<string>();

  constructor(messages: ModelMessage[]) {
    this.#reached = messages;
  }

  /** The messages as far as the turn has come, the step under way aside. */
  get reached(): ModelMessage[] {
    return this.#reached;
  }

  /** A generation begins, or has ended, with these messages. */
  begin(messages: ModelMessage[]): void {
    this.#reached = messages;
    this.#steps = { asked: 0, begun: 0, ended: 0 };
    this.#step.clear();
    this.#calls = new Set(openCalls(messages).map(({ id }) => id));
  }

  /** The next step is asked for with these messages: all before it is in them, read or not. */
  ask(messages: ModelMessage[]): void {
    this.#reached = messages;
    this.#steps.asked++;
  }

  /** Takes in what has been read of the stream. */
  take(part: Part): void {
    if (part.type === 'start-step') {
      this.#steps.begun++;
      this.#step.clear();
    }
    if (part.type === 'finish-step') this.#steps.ended++;
    if (part.type === 'tool-call') this.#calls.add(part.toolCallId);
    if (part.type === 'tool-result' || part.type === 'tool-error')
      this.#outcomes.delete(part.toolCallId);
    this.#step.take(part);
  }

  /** Tells an event of the step that is now asked for, behind all that was read before it. */
  tellOfStep(event: AgentEvent): void {
    const steps = this.#steps;
    const before = steps.asked - 1;
    this.events.push(event, () => steps.ended >= before);
  }

  /** Tells an event of a call under way, behind the call itself. */
  tellOfCall(id: string, event: AgentEvent): void {
    this.events.push(event, () => this.#calls.has(id));
  }

  /** A tool runs; what it comes to is kept until the stream tells it. */
  run(id: string, call: Pick<Outcome, 'name' | 'input'>, running: Promise<unknown>): void {
    this.running.set(running, call.name);
    const keep = (result: Outcome['result']) => {
      this.running.delete(running);
      this.#outcomes.set(id, { ...call, result });
    };
    running.then(
      (output) => keep({ output }),
      (error) => keep({ error }),
    );
  }

  /** Of a turn that broke off: results that nobody has read, each for a call that is still open. */
  *unread(): Iterable<Part> {
    const open = new Set(openCalls(this.messages()).map(({ id }) => id));
    for (const [toolCallId, { name: toolName, input, result }] of [...this.#outcomes]) {
      if (!open.has(toolCallId) && !this.#step.isOpen(toolCallId)) continue;
      const call = { toolCallId, toolName, input };
      yield 'output' in result
        ? { type: 'tool-result', ...call, output: result.output }
        : { type: 'tool-error', ...call, error: result.error };
    }
    this.#outcomes.clear();
  }

  /** Puts the results of a turn that broke off into the form that a model is shown. */
  show(): Promise<void> {
    return this.#step.show(this.tools);
  }

  /** What a turn that broke off has come to. */
  messages(): ModelMessage[] {
    // A step is read late where it is in the messages of the next one already.
    const isReached = this.#steps.begun < this.#steps.asked;
    return isReached ? this.#reached : [...this.#reached, ...this.#step.messages()];
  }
}
