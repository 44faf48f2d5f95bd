import { isNotePart, readResponseNote } from '@toolfold/ai-sdk/internal/metadata';
import type { CallObserver } from '@toolfold/core/internal/host';
import type { ToolSet } from 'ai';
import { type AgentContext, foldSettings, frozenOf } from '../context/index.ts';
import type { Content } from '../entries/index.ts';
import type { Budget } from '../events/index.ts';
import { AnswerRecorder, readUsage } from '../log/index.ts';
import type { OpenAnswer } from '../state/index.ts';

/** What a running turn knows beside the log. */
export class Turn {
  /** Tool rounds at the last request, set once they are used up. */
  rounds = 0;
  /** Tool rounds of this turn that a compaction has removed from the messages. */
  cutRounds = 0;
  /** Requests of this turn. */
  requests = 0;
  /** Tokens of their prompts and answers. */
  tokens = 0;
  /** The budget that the next answer uses up, or that earlier ones have. */
  spent: Budget | undefined;
  /** Set where the generation stopped because its next request would not fit into the context window. */
  isFull = false;
  /** Tools of the current generation. */
  tools: ToolSet = {};
  readonly recorder: AnswerRecorder;
  /** Resolves when the last generation has been read. Never rejects. */
  reading: Promise<unknown> | undefined;
  /** Whether a tool has run or may have run since the last request. */
  hasRun = false;
  /** Running tools by call id: `promise` resolves at the end. */
  readonly running: Map<string, PromiseWithResolvers<void> & { readonly name: string }> = new Map();
  /** Fires when the turn is cancelled. */
  readonly signal: AbortSignal;
  /** Set when the turn has ended. No tool starts any more. */
  isOver = false;

  /** `replay`: the answer of an earlier process, which stands in place of the first request. */
  constructor(context: AgentContext, signal: AbortSignal, replay?: OpenAnswer) {
    const { log, sent, isReal, options } = context;
    this.signal = signal;
    this.recorder = new AnswerRecorder(
      {
        ...{ log, sent, isReal },
        refusesCalls: () => Object.keys(this.tools).length === 0,
        retries: options.settings?.maxRetries,
        onAnswer: ({ usage }) => takeAnswer(context, usage),
      },
      replay,
    );
  }

  /** The SDK is about to run a call. */
  enter({ toolCallId: id, toolName: name }: { toolCallId: string; toolName: string }): void {
    this.running.get(id)?.resolve();
    this.running.set(id, { name, ...Promise.withResolvers<void>() });
  }

  /** The call has a result or an error. */
  leave(id: string): void {
    this.hasRun = true;
    this.running.get(id)?.resolve();
    this.running.delete(id);
  }

  /** After the turn was interrupted, no run begins. */
  readonly observer: CallObserver = {
    started: () => {
      if (this.isOver || this.signal.aborted)
        throw new Error('The call was not run: the turn was cancelled first.');
      this.hasRun = true;
    },
  };
}

/** Takes the usage of an answer that is written, and writes the state of a new epoch. */
async function takeAnswer(context: AgentContext, usage: unknown): Promise<void> {
  const { log, options, use } = context;
  const { messages, answer } = log.state;
  use.answered(readUsage(usage), messages.length);
  if (!log.session || !answer?.content.some(beginsEpoch)) return;
  const given = { ...foldSettings(context), ...frozenOf(context) };
  const state = await options.fold.state(options.model, [...messages], given);
  await log.append(['epoch', { state }]);
}

/** Whether a part of an answer is a note that names new frozen bytes. */
function beginsEpoch(part: Content): boolean {
  const note = isNotePart(part) ? readResponseNote(part.providerOptions) : undefined;
  return note?.epoch !== undefined || note?.appended !== undefined;
}
