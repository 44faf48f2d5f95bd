import type { ModelMessage, TextStreamPart, ToolModelMessage, ToolSet } from 'ai';
import type { RequestEvent } from '../../ai-sdk/index.ts';
import type { LanguageModelV4StreamPart } from '../../ai-sdk/protocol/index.ts';
import { plainOutput } from '../../ai-sdk/results/index.ts';
import { answerOf, readStamp } from '../../host/index.ts';
import { within } from '../../time-limit.ts';
import {
  AnswerContent,
  type Content,
  errorText,
  INTERRUPTED,
  INTERRUPTED_MESSAGE,
  NOT_RUN,
  type OpenCall,
} from '../conversation/index.ts';
import type { AgentEvent } from '../events/index.ts';
import { TOOL_GRACE } from '../timing/index.ts';
import { EmittedEvents, NO_WORDS, type Words } from './emitted-events.ts';

type Part = TextStreamPart<ToolSet>;
type Call = Extract<Part, { type: 'tool-call' }>;
type ToolOutput = Extract<Part, { type: 'tool-result' | 'tool-error' }>;
type Result = Extract<ToolModelMessage['content'][number], { type: 'tool-result' }>;
type Output = Result['output'];

export type SchemaOf = RequestEvent['schemaOf'];

/** A tool run, recorded before it begins. */
interface Run {
  readonly call: Call;
  /** Whether `execute` was entered. From then on the tool may have had an effect. */
  hasBegun: boolean;
  outcome?: ToolOutput;
  /** When `execute` was entered, and how long it took, in milliseconds. */
  begun?: number;
  duration?: number;
}

/**
 * Records one request of a turn, independent of how far the stream was read: the model's answer, and
 * each tool run before it begins. The messages of an interrupted turn are built from this record.
 */
export class Step {
  readonly emitted: EmittedEvents;
  readonly #open: readonly OpenCall[];
  readonly #runs = new Map<string, Run>();
  /** Why calls did not run, by call id, as far as the stream was read. */
  readonly #refused = new Map<string, Output>();
  #content: AnswerContent | undefined;
  /** How the model got the schema of a tool, as of the request. */
  schemaOf: SchemaOf | undefined;
  /** Words of earlier, failed attempts. */
  #failed = NO_WORDS;
  /** Ids of calls and outcomes that were read from the stream. */
  readonly #read = { calls: new Set<string>(), outcomes: new Set<string>() };
  #kept: readonly ModelMessage[] = [];

  /** `open`: approved calls of earlier answers. They run before the request. */
  constructor(open: readonly OpenCall[] = []) {
    this.#open = open;
    this.emitted = new EmittedEvents(open);
  }

  /** The request is sent or retried. */
  send(): void {
    const { text, reasoning } = this.#words;
    this.#failed = {
      text: this.#failed.text + text,
      reasoning: this.#failed.reasoning + reasoning,
    };
    this.#content = new AnswerContent();
  }

  /** Whether the request has been sent. */
  get isSent(): boolean {
    return this.#content !== undefined;
  }

  /** Records a part of the model's answer. */
  write(part: LanguageModelV4StreamPart): void {
    this.#content?.take(part);
  }

  /** The answer so far. */
  get answer(): { readonly content: readonly Content[]; readonly inputs: Record<string, string> } {
    return { content: this.#parts, inputs: this.#content?.inputs ?? {} };
  }

  get note(): Content | undefined {
    return this.#content?.note;
  }

  get #words(): Words {
    const all = (type: 'text' | 'reasoning') =>
      this.#parts.map((part) => (part.type === type ? part.text : '')).join('');
    return { text: all('text'), reasoning: all('reasoning') };
  }

  /** Ids of all kept calls, those that the provider runs included. */
  get #ids(): ReadonlySet<string> {
    const own = this.#parts.flatMap((part) => (part.type === 'tool-call' ? part.toolCallId : []));
    return new Set([...this.#open.map(({ id }) => id), ...own]);
  }

  get #parts(): readonly Content[] {
    return this.#content?.parts ?? [];
  }

  /** The SDK is about to run a call. */
  enter(call: Call): void {
    this.#runs.set(call.toolCallId, { call, hasBegun: false });
  }

  /** The `execute` of a call is entered. */
  begin(id: string): void {
    const run = this.#runs.get(id);
    if (!run) return;
    run.hasBegun = true;
    run.begun = performance.now();
  }

  /** A call has a result or an error. */
  end(outcome: ToolOutput): void {
    const run = this.#runs.get(outcome.toolCallId);
    if (!run) return;
    run.outcome = outcome;
    if (run.begun !== undefined) run.duration ??= Math.round(performance.now() - run.begun);
  }

  /** How long a tool took, as the journal has it. */
  took(id: string, duration: number): void {
    const run = this.#runs.get(id);
    if (run) run.duration = duration;
  }

  /** How long a tool took, in milliseconds; undefined if it did not run or has not ended. */
  durationOf(id: string): number | undefined {
    return this.#runs.get(id)?.duration;
  }

  /** Whether a tool has begun and nobody knows how it ended. */
  isUnknown(id: string): boolean {
    const run = this.#runs.get(id);
    return run?.hasBegun === true && run.outcome === undefined;
  }

  /** Stores the messages of this step, which the next request includes. */
  keep(messages: readonly ModelMessage[]): void {
    this.#kept = messages;
  }

  /** Records a part that was read from the stream. */
  read(part: Part): void {
    // A preliminary result means that the tool is still running.
    if (part.type === 'tool-result' && part.preliminary === true) return;
    if (part.type === 'tool-call') this.#read.calls.add(part.toolCallId);
    if (
      part.type === 'tool-result' ||
      part.type === 'tool-error' ||
      part.type === 'tool-output-denied'
    )
      this.#read.outcomes.add(part.toolCallId);
    if (part.type === 'tool-error')
      this.#refused.set(part.toolCallId, { type: 'error-text', value: errorText(part.error) });
    if (part.type === 'tool-approval-response' && !part.approved)
      this.#refused.set(part.toolCall.toolCallId, {
        type: 'execution-denied',
        ...(part.reason === undefined ? {} : { reason: part.reason }),
      });
  }

  /** Whether a tool has run or may have run. */
  get hasRun(): boolean {
    return [...this.#runs.values()].some(({ hasBegun, outcome }) => hasBegun || outcome);
  }

  /** All calls of the step, in order. */
  get calls(): readonly OpenCall[] {
    const own = this.#parts.flatMap((part) => {
      if (part.type !== 'tool-call' || part.providerExecuted) return [];
      const { toolCallId: id, toolName: name, input } = this.#asRun(part);
      return [{ id, name, input }];
    });
    return [...this.#open, ...own];
  }

  /** After the step was read to its end: withdraws what was emitted of failed attempts. */
  withdrawn(): readonly AgentEvent[] {
    const { discarded } = this.emitted.compare(this.#words, this.#failed, this.#ids);
    return discarded ? [discarded] : [];
  }

  /** For a kept step: the parts and events that were not read from the stream. */
  *unread(): Iterable<AgentEvent | Part> {
    const { discarded, rest } = this.emitted.compare(this.#words, this.#failed, this.#ids);
    if (rest.reasoning !== '') yield { type: 'reasoning-delta', id: '', text: rest.reasoning };
    if (rest.text !== '') yield { type: 'text-delta', id: '', text: rest.text };
    for (const part of this.#parts) {
      if (part.type !== 'tool-call' || this.#read.calls.has(part.toolCallId)) continue;
      const { providerOptions, ...call } = this.#asRun(part);
      yield { ...call, ...(providerOptions ? { providerMetadata: providerOptions } : {}) } as Call;
    }
    if (discarded) yield discarded;
    for (const { id, name, input } of this.calls) {
      if (this.#read.outcomes.has(id)) continue;
      const { outcome, hasBegun } = this.#runs.get(id) ?? {};
      const error = () => (hasBegun ? INTERRUPTED_MESSAGE : this.#whyNotRun(id));
      const call = { toolCallId: id, toolName: name, input };
      yield outcome ?? { type: 'tool-error', ...call, error: error() };
    }
  }

  /** The step as messages: its answer, and a result for each of its calls. */
  async messages(tools: ToolSet): Promise<ModelMessage[]> {
    const content = this.#parts.map((part) => this.#asRun(part));
    const results = await Promise.all(
      this.calls.map(async ({ id, name }): Promise<Result> => {
        const { output, options } = await this.#resultOf(id, name, tools);
        return { type: 'tool-result', toolCallId: id, toolName: name, output, ...options };
      }),
    );
    return [
      ...(content.length > 0 ? [{ role: 'assistant' as const, content }] : []),
      ...(results.length > 0 ? [{ role: 'tool' as const, content: results }] : []),
    ];
  }

  /** The call with the input that its tool received. The SDK applies schemas and repairs. */
  #asRun<PART extends Content>(part: PART): PART {
    const run = part.type === 'tool-call' ? this.#runs.get(part.toolCallId) : undefined;
    if (!run) return part;
    const { toolName, input, providerMetadata } = run.call;
    const options = providerMetadata ? { providerOptions: providerMetadata } : {};
    return { ...part, toolName, input, ...options };
  }

  async #resultOf(
    id: string,
    name: string,
    tools: ToolSet,
  ): Promise<{ output: Output; options: Pick<Result, 'providerOptions'> }> {
    const run = this.#runs.get(id);
    const { outcome } = run ?? {};
    if (outcome) {
      const { providerMetadata } = outcome;
      const options = providerMetadata ? { providerOptions: providerMetadata } : {};
      return { output: await shown(outcome, tools), options };
    }
    if (run?.hasBegun) return { output: { type: 'error-text', value: INTERRUPTED }, options: {} };
    const refused = this.#refused.get(id) ?? this.#stamped(id, name);
    return { output: refused ?? { type: 'execution-denied', reason: NOT_RUN }, options: {} };
  }

  /** Why a call did not run: the result in the kept messages, else the recorded reason. */
  #whyNotRun(id: string): string {
    for (const { role, content } of this.#kept) {
      if (role !== 'tool') continue;
      const result = content.find((part) => part.type === 'tool-result' && part.toolCallId === id);
      if (result?.type === 'tool-result') return textOfOutput(result.output);
    }
    const refused = this.#refused.get(id);
    return refused ? textOfOutput(refused) : NOT_RUN;
  }

  /** Toolfold's refusal in the call's stamp, for a refusal that was not read from the stream. */
  #stamped(id: string, name: string): Output | undefined {
    for (const part of this.#parts) {
      if (part.type !== 'tool-call' || part.toolCallId !== id) continue;
      const stamp = readStamp(part.providerOptions);
      const value = stamp && answerOf(stamp, { name, input: part.input, isUnread: true });
      if (value !== undefined) return { type: 'error-text', value };
    }
    return;
  }
}

/** The outcome in the form that the model sees: from the tool's `toModelOutput`, as in the SDK. */
async function shown(outcome: ToolOutput, tools: ToolSet): Promise<Output> {
  if (outcome.type === 'tool-error') return { type: 'error-text', value: errorText(outcome.error) };
  const { toolCallId, toolName, input, output } = outcome;
  const tool = Object.hasOwn(tools, toolName) ? tools[toolName] : undefined;
  let converted: Output | undefined;
  const convert = async () => {
    try {
      converted = await tool?.toModelOutput?.({ toolCallId, input, output });
    } catch (error) {
      converted = { type: 'error-text', value: `The result cannot be shown: ${errorText(error)}` };
    }
  };
  // The conversion has no time limit, but the end of a turn must not wait longer than the grace period.
  await within(TOOL_GRACE, convert());
  return converted ?? plainOutput(output);
}

function textOfOutput(output: Output): string {
  if (output.type === 'execution-denied') return output.reason ?? NOT_RUN;
  return typeof output.value === 'string' ? output.value : JSON.stringify(output.value);
}
