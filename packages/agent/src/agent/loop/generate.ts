import { raceAbort } from '@toolfold/core/internal/tools/values';
import { type TextStreamPart, ToolLoopAgent, type ToolSet } from 'ai';
import { adopted, closings, lostCalls } from '../calls/index.ts';
import type { AgentContext } from '../context/index.ts';
import { type EndReason, endReasonOf } from '../events/index.ts';
import { decide, questionOf } from '../questions/index.ts';
import { CUT_OFF, loadBound } from '../state/index.ts';
import { compact, dueCompaction } from './compact.ts';
import { roundsOf, startOf } from './opening.ts';
import type { Turn } from './turn.ts';
import { takeSteering, turnSettings } from './turn-settings.ts';

/** Runs one generation of the SDK. Returns why the turn ended, or undefined if it goes on. */
export async function generate(context: AgentContext, turn: Turn): Promise<EndReason | undefined> {
  const { log, isReal } = context;
  const { signal, recorder } = turn;
  // An answer that is read again belongs to the messages as they are.
  if (recorder.replay) await loadBound(recorder.replay.content, context.options.fold.layer, signal);
  else if (dueCompaction(context, log.state.messages))
    await compact(context, turn, signal, 'window');
  const { messages: begun } = log.state;
  const settings = turnSettings(context, turn, begun);
  const { fields, limit } = await raceAbort(settings, signal);
  const start = startOf(context, begun);
  if (start && turn.requests === 0) await log.report(start);
  const agent = new ToolLoopAgent<never, ToolSet>(fields as never);
  await log.append(...lostCalls(log.state.begun, turn.tools));
  const sent = [...log.state.begun];
  const result = await agent.stream({
    messages: sent,
    abortSignal: signal,
    onToolExecutionStart: ({ toolCall }) => turn.enter(toolCall),
    onToolExecutionEnd: async ({ toolOutput }) => {
      turn.leave(toolOutput.toolCallId);
      // A tool that did not stop may end while a later turn uses the id of its call again.
      if (!turn.isOver) await context.calls.end(toolOutput, !isReal(toolOutput.toolName));
    },
  });
  const reading = readStream(result.stream);
  turn.reading = reading;
  const { asked, failure, isAborted } = await reading;
  if (failure) throw failure.error;
  if (isAborted) return 'cancelled';
  const messages = [...sent, ...(await result.responseMessages)];
  await log.append(...adopted(log.state, messages, isReal));
  const waiting = new Set(asked.map(({ toolCall }) => toolCall.toolCallId));
  await log.append(...closings(log.state, { isReal, reason: CUT_OFF, waiting }));
  const questions = asked.map((part) => questionOf(part, messages));
  if (questions.length > 0) return decide(context, questions, signal);
  if (turn.isFull) return;
  const reason = endReasonOf(await result.finishReason, await result.rawFinishReason);
  if (reason === 'error') throw new Error('The provider ended the answer with an error.');
  // After a notice about loads, an answer in words is the end of the task.
  const isBudget = turn.spent !== undefined && (turn.spent !== 'loads' || reason === 'rounds');
  const isSpent = isBudget || (limit !== undefined && turn.rounds >= limit);
  // What the user wrote meanwhile is answered in this turn, as long as it has a budget.
  if (reason === 'done' && !isSpent && (await takeSteering(context, turn, true))) return;
  if (reason === 'rounds' && !isSpent) await log.report(roundsOf(context, turn, limit));
  return reason === 'done' && isSpent ? 'rounds' : reason;
}

type Part = TextStreamPart<ToolSet>;

/** What the stream of a generation said beside what is recorded. */
interface Read {
  /** The calls that the user must be asked about. */
  readonly asked: readonly Extract<Part, { type: 'tool-approval-request' }>[];
  readonly failure: { readonly error: unknown } | undefined;
  readonly isAborted: boolean;
}

/** Reads the stream of the SDK to its end, which makes the SDK go on. Never rejects. */
async function readStream(stream: AsyncIterable<Part>): Promise<Read> {
  const asked: Read['asked'][number][] = [];
  let failure: Read['failure'];
  let isAborted = false;
  try {
    for await (const part of stream) {
      if (part.type === 'error') failure = { error: part.error };
      if (part.type === 'abort') isAborted = true;
      if (part.type === 'tool-approval-request' && part.isAutomatic !== true) asked.push(part);
    }
  } catch (error) {
    failure ??= { error };
  }
  return { asked, failure, isAborted };
}
