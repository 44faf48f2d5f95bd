import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { ModelMessage, TextStreamPart, ToolModelMessage, ToolSet } from 'ai';
import { plainOutput } from '../../ai-sdk/results/index.ts';
import { answerOf, readStamp } from '../../host/index.ts';
import {
  AnswerContent,
  type Content,
  INTERRUPTED,
  NOT_RUN,
  type OpenCall,
} from '../conversation/index.ts';
import type { AgentEvent } from '../events/index.ts';
import { TOOL_GRACE, within } from '../timing/index.ts';
import { EmittedEvents } from './emitted-events.ts';

type Part = TextStreamPart<ToolSet>;
type Call = Extract<Part, { type: 'tool-call' }>;
type ToolOutput = Extract<Part, { type: 'tool-result' | 'tool-error' }>;
type Result = Extract<ToolModelMessage['content'][number], { type: 'tool-result' }>;
type Output = Result['output'];

/** A run of a tool, recorded before it begins. */
interface Run {
  readonly call: Call;
  /** Whether its `execute` has been entered: from then on it may have had an effect. */
  hasBegun: boolean;
  outcome?: ToolOutput;
}

/**
 * What one request of a turn has come to, whoever has read it: the answer as the model gives it, and
 * the runs of tools, each recorded before it begins. Messages of a turn that breaks off are made of
 * this record alone.
 */
export class Step {
  readonly emitted: EmittedEvents;
  readonly #open: readonly OpenCall[];
  readonly #runs = new Map<string, Run>();
  /** By call, why it did not run, as far as the stream has said. */
  readonly #refused = new Map<string, Output>();
  #content: AnswerContent | undefined;
  /** Text of attempts that failed before this one. */
  #failed = '';
  /** Ids of what has been read of the stream. */
  readonly #read = { calls: new Set<string>(), outcomes: new Set<string>() };
  #kept: readonly ModelMessage[] = [];

  /** `open`: calls of earlier answers that run before the request, once the user has approved them. */
  constructor(open: readonly OpenCall[] = []) {
    this.#open = open;
    this.emitted = new EmittedEvents(open);
  }

  /** The request is sent, for the first time or once more. */
  send(): void {
    this.#failed += this.#text;
    this.#content = new AnswerContent();
  }

  /** Whether the request has been sent. */
  get isSent(): boolean {
    return this.#content !== undefined;
  }

  /** What the model answers. */
  write(part: LanguageModelV4StreamPart): void {
    this.#content?.take(part);
  }

  get note(): Content | undefined {
    return this.#content?.note;
  }

  get #text(): string {
    return this.#parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  }

  get #parts(): readonly Content[] {
    return this.#content?.parts ?? [];
  }

  /** A call is on its way to its tool. */
  enter(call: Call): void {
    this.#runs.set(call.toolCallId, { call, hasBegun: false });
  }

  /** The tool of a call is run. */
  begin(id: string): void {
    const run = this.#runs.get(id);
    if (run) run.hasBegun = true;
  }

  /** A tool has come to something, or did not run after all. */
  end(outcome: ToolOutput): void {
    const run = this.#runs.get(outcome.toolCallId);
    if (run) run.outcome = outcome;
  }

  /** All of it is in messages that the next request is sent with. */
  keep(messages: readonly ModelMessage[]): void {
    this.#kept = messages;
  }

  /** Takes in what is read of the stream. */
  read(part: Part): void {
    // A tool that yields results as it goes is still at work.
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

  /** Whether a tool has run, or may have. */
  get hasRun(): boolean {
    return [...this.#runs.values()].some(({ hasBegun, outcome }) => hasBegun || outcome);
  }

  /** Its calls, in order. */
  get calls(): readonly OpenCall[] {
    const own = this.#parts.flatMap((part) => {
      if (part.type !== 'tool-call' || part.providerExecuted) return [];
      const { toolCallId: id, toolName: name, input } = this.#asRun(part);
      return [{ id, name, input }];
    });
    return [...this.#open, ...own];
  }

  /** Of a step that was read to its end: what was told of an attempt that failed. */
  withdrawn(): readonly AgentEvent[] {
    const { discarded } = this.emitted.compare(this.#text, this.#failed);
    return discarded ? [discarded] : [];
  }

  /** Of a step that is kept: what the stream has not told of it. */
  *unread(): Iterable<AgentEvent | Part> {
    const { discarded, rest } = this.emitted.compare(this.#text, this.#failed);
    if (discarded) yield discarded;
    if (rest !== '') yield { type: 'text-delta', id: '', text: rest };
    for (const part of this.#parts) {
      if (part.type !== 'tool-call' || this.#read.calls.has(part.toolCallId)) continue;
      const { providerOptions, ...call } = this.#asRun(part);
      yield { ...call, ...(providerOptions ? { providerMetadata: providerOptions } : {}) } as Call;
    }
    for (const { id, name, input } of this.calls) {
      if (this.#read.outcomes.has(id)) continue;
      const { outcome, hasBegun } = this.#runs.get(id) ?? {};
      const error = () => (hasBegun ? messageOf(INTERRUPTED) : this.#whyNotRun(id));
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

  /** A call as its tool got it: the SDK applies schemas and repairs. */
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

  /** What the next request says of a call that reached no tool, or what is known of it. */
  #whyNotRun(id: string): string {
    for (const { role, content } of this.#kept) {
      if (role !== 'tool') continue;
      const result = content.find((part) => part.type === 'tool-result' && part.toolCallId === id);
      if (result?.type === 'tool-result') return textOfOutput(result.output);
    }
    const refused = this.#refused.get(id);
    return refused ? textOfOutput(refused) : NOT_RUN;
  }

  /** What Toolfold has answered to a call that it refused, where the stream has not come to that. */
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

/** An outcome in the form that its tool wants a model to be shown, as the SDK would have it. */
async function shown(outcome: ToolOutput, tools: ToolSet): Promise<Output> {
  if (outcome.type === 'tool-error') return { type: 'error-text', value: errorText(outcome.error) };
  const { toolCallId, toolName, input, output } = outcome;
  const tool = Object.hasOwn(tools, toolName) ? tools[toolName] : undefined;
  let found: Output | undefined;
  const look = async () => {
    try {
      found = await tool?.toModelOutput?.({ toolCallId, input, output });
    } catch (error) {
      found = { type: 'error-text', value: `The result cannot be shown: ${errorText(error)}` };
    }
  };
  // It may take as long as it likes, a turn that ends may not.
  await within(TOOL_GRACE, [look()]);
  return found ?? plainOutput(output);
}

/** An error as the SDK shows it to a model: of a refusal, the answer that it stands for. */
function errorText(error: unknown): string {
  if (typeof error === 'string') return error;
  if (error instanceof Error) return error.toString();
  return JSON.stringify(error) ?? 'unknown error';
}

function textOfOutput(output: Output): string {
  if (output.type === 'execution-denied') return output.reason ?? NOT_RUN;
  return typeof output.value === 'string' ? output.value : JSON.stringify(output.value);
}

function messageOf(answer: string): string {
  return String(JSON.parse(answer).message);
}
