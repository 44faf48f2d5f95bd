import { type ModelMessage, ToolChoiceViolationError, ToolLoopAgent, type ToolSet } from 'ai';
import { within } from '../../time-limit.ts';
import { raceAbort } from '../../tools/values/index.ts';
import { isAnswer, withRunnable } from '../approvals/index.ts';
import { CUT_OFF, closed, openCalls } from '../conversation/index.ts';
import {
  type AgentEvent,
  type EndCode,
  type EndReason,
  endCodeOf,
  endReasonOf,
} from '../events/index.ts';
import type { TurnKind, Write } from '../journal/index.ts';
import type { StampedEvent } from '../options/index.ts';
import { SUBAGENTS } from '../subagents/engine/index.ts';
import { TOOL_GRACE } from '../timing/index.ts';
import { Generation, StreamEvents, Turn } from '../turn/index.ts';
import type { Meter, Usage } from '../usage/index.ts';
import type { AgentState } from './agent-state.ts';
import { compact, dueCompaction } from './compact.ts';
import { decide } from './decide.ts';
import { type Beginning, endOf, type Opening, roundsOf, startOf, warningsOf } from './opening.ts';
import { type AgentContext, turnSettings } from './turn-settings.ts';

/** What a turn is to do. */
export interface TurnPlan {
  readonly how: TurnKind;
  /** The id of the user's message. No turn runs if the conversation has a message with this id. */
  readonly id?: string | undefined;
  /** Returns the first messages, or throws if no turn can start. */
  readonly begin: () => Beginning;
  /** Runs before the first request. */
  readonly first?: Opening;
}

export interface RunnerParts {
  readonly context: AgentContext;
  readonly state: AgentState;
  readonly meter: Meter;
  readonly count: (usage: Usage, turn: Turn) => void;
}

/** Milliseconds that the end of a broken turn waits for its entries to be written. */
const WRITE_GRACE = 1_000;

/** Runs one turn. */
export class TurnRunner {
  readonly #parts: RunnerParts;
  readonly #stopped = new AbortController();
  readonly #signal: AbortSignal;
  #generation: Generation | undefined;
  #isOver = false;
  /** Resolves when everything is written. Set where a cancelled turn does not wait for it. */
  #late: Promise<unknown> | undefined;

  constructor(parts: RunnerParts, signal: AbortSignal | undefined) {
    this.#parts = parts;
    this.#signal = AbortSignal.any([this.#stopped.signal, ...(signal ? [signal] : [])]);
  }

  /** Cancels the turn. */
  stop(): void {
    this.#stopped.abort();
  }

  /** The events of the turn, each with its place and time. Holds the session while it runs. */
  async *run(plan: TurnPlan, warns: boolean): AsyncGenerator<StampedEvent> {
    const { context, state } = this.#parts;
    const { journal } = state;
    try {
      await raceAbort(state.idle, this.#signal);
      if (await this.#hold()) {
        state.restore();
        context.requests.follow(journal.state.request);
      }
    } catch (error) {
      // No turn has begun.
      const isCancelled = this.#signal.aborted && !journal.failure;
      const reason = isCancelled ? ('cancelled' as const) : ('error' as const);
      yield this.#placed(endOf(context, state.messages, undefined, { reason, error }));
      return;
    }
    try {
      if (plan.id !== undefined && journal.state.ids.has(plan.id)) return;
      for await (const event of this.#turn(plan, warns)) yield await this.#stamped(event);
    } finally {
      this.#isOver = true;
      const end = async () => {
        if (journal.failure) state.restore();
        await journal.end();
      };
      if (this.#late) state.later(this.#late.then(end));
      else await end();
    }
  }

  /** Takes the right to write the session. Resolves with whether another process has written meanwhile. */
  #hold(): Promise<boolean> {
    const { state } = this.#parts;
    return state.journal.begin({
      onFailure: () => this.stop(),
      onMessage: ({ kind, body }) => {
        if (kind === 'cancel') this.stop();
        else
          for (const [id, answer] of Object.entries(body))
            if (isAnswer(answer)) state.remote.give(id, answer);
      },
    });
  }

  /** Writes an event where it does not follow from other entries, and gives it its place. */
  async #stamped(given: AgentEvent): Promise<StampedEvent> {
    const { journal } = this.#parts.state;
    // What cannot be written is still shown: the turn ends with the reason.
    const told = () =>
      journal.failure ? undefined : journal.tell(plainEnd(given)).catch(() => {});
    if (this.#late) this.#late = this.#late.then(told);
    else await told();
    const { failure } = journal;
    const event =
      failure && given.type === 'end'
        ? { ...given, reason: 'error' as const, ...failedBy(failure.error) }
        : given;
    return this.#placed(event);
  }

  #placed(event: AgentEvent): StampedEvent {
    const { seq, turn, step } = this.#parts.state.journal.state;
    // What is hidden from JSON stays on the event.
    const all = Object.getOwnPropertyDescriptors(event);
    return Object.defineProperties({ seq, turn, step, at: Date.now() }, all) as StampedEvent;
  }

  async *#turn({ how, id, begin, first }: TurnPlan, warns: boolean): AsyncGenerator<AgentEvent> {
    const { context, state } = this.#parts;
    const { journal } = state;
    const signal = this.#signal;
    const { messages, failures, said = [] } = begin();
    const cut = how === 'resume' ? state.cut : undefined;
    state.cut = undefined;
    const turn = new Turn(messages, signal, cut?.answer);
    let opening = first;
    try {
      const number = journal.state.turn + (how === 'send' ? 1 : 0);
      await journal.write(['turn', { number, how }], ...state.changes(context.options));
      if (!cut) await journal.sync(messages, id);
      yield* failures.filter(({ name }) => context.isReal(name));
      if (warns) yield* this.#warnings();
      yield* said;
      for (;;) {
        const step = opening ? opening(turn, signal) : this.#generate(turn);
        opening = undefined;
        const reason = yield* step;
        if (reason === undefined) continue;
        if (reason === 'cancelled') yield* this.#breakOff(turn, true);
        yield endOf(context, state.messages, turn, { reason });
        return;
      }
    } catch (error) {
      const isCancelled = signal.aborted;
      this.stop();
      yield* this.#breakOff(turn, isCancelled);
      // The model called a tool although the request forbade tool calls.
      const isForbiddenCall = ToolChoiceViolationError.isInstance(error);
      const reason = isCancelled ? 'cancelled' : isForbiddenCall ? 'rounds' : 'error';
      yield endOf(context, state.messages, turn, { reason, error });
    }
  }

  *#warnings(): Iterable<AgentEvent> {
    const { context, state } = this.#parts;
    for (const text of state.remarks) yield { type: 'warning', text };
    yield* warningsOf(context);
  }

  /** Ends a turn that was cancelled or failed: waits for its running tools and keeps its messages. */
  async *#breakOff(turn: Turn, isCancelled: boolean): AsyncGenerator<AgentEvent> {
    const { context, state, meter, count } = this.#parts;
    const { running, events } = turn;
    const generation = this.#generation;
    const read: AgentEvent[] = [];
    const settled = (all: readonly unknown[]) => within(TOOL_GRACE, Promise.allSettled(all));
    const runs = (isOfTeam: boolean) =>
      [...running].flatMap(([run, name]) => ((name === SUBAGENTS) === isOfTeam ? [run] : []));
    // The team waits for its children, and the children wait for their tools.
    await Promise.all([
      context.team?.idle(),
      settled([generation?.drain((event) => read.push(event)), ...runs(false)]),
    ]);
    // Hooks may still process the report of the subagents.
    await settled(runs(true));
    for (const name of new Set(running.values())) {
      const text = `The tool ${name} is still running. It did not stop after the cancellation.`;
      events.push({ type: 'warning', text });
    }
    const unpaid = meter.interruptedUsage(!isCancelled);
    if (unpaid) count(unpaid, turn);
    const messages = await turn.messages();
    // A journal that cannot be written has its own end: see `#stamped`.
    const kept = this.#keepBroken(turn, messages).catch(() => {});
    const isKept = await within(
      WRITE_GRACE,
      kept.then(() => true),
    );
    if (!isKept) {
      this.#late = kept;
      const text = 'The session cannot be written at present. The next turn begins when it could.';
      events.push({ type: 'warning', text });
    }
    state.pending.keep(state.askedIn(state.messages));
    yield* read;
    yield* generation?.rest() ?? events.rest();
  }

  /** Keeps the messages of a broken turn, with the approvals that were asked for. */
  async #keepBroken(turn: Turn, messages: ModelMessage[]): Promise<void> {
    const { state } = this.#parts;
    const { journal } = state;
    const all = this.#generation?.asked ?? [];
    const asked = all.filter(({ approvalId }) => !journal.hasAsked(approvalId));
    state.messages = messages;
    const { answer, step } = journal.state;
    await journal.write(
      ...(answer && !turn.keepsAnswer ? [['dropped', { step }] as const] : []),
      ...asked.map(({ type: _, ...one }): Write => ['approval', one]),
    );
    await state.keep(messages);
  }

  /** Runs one generation of the SDK. Returns why the turn ended, or undefined if it continues. */
  async *#generate(turn: Turn): AsyncGenerator<AgentEvent, EndReason | undefined> {
    const { context, state } = this.#parts;
    const signal = this.#signal;
    // An answer that is replayed belongs to the messages as they are.
    if (!turn.replay && dueCompaction(context, turn.reached))
      yield* compact(this.#parts, turn, signal, 'window');
    const { fields, limit } = await raceAbort(turnSettings(context, turn), signal);
    const start = startOf(context, turn.reached);
    if (start) yield start;
    const agent = new ToolLoopAgent<never, ToolSet>(fields as never);
    const { messages: sent, failures } = withRunnable(turn.reached, turn.tools);
    turn.begin(sent);
    yield* failures;
    const result = await agent.stream({
      messages: sent,
      abortSignal: signal,
      onToolExecutionStart: ({ toolCall }) => turn.enter(toolCall),
      onToolExecutionEnd: ({ toolOutput }) => {
        turn.leave(toolOutput);
        // A tool that did not stop may end while a later turn uses the id of its call again.
        if (this.#isOver) return;
        return context.calls.end(toolOutput, !context.isReal(toolOutput.toolName));
      },
    });
    const streamEvents = new StreamEvents(context.isReal, openCalls(sent), turn);
    const generation = new Generation(result.stream, { turn, streamEvents });
    this.#generation = generation;
    yield* generation.read();
    if (generation.failure) throw generation.failure.error;
    if (generation.isAborted) return 'cancelled';
    const { asked } = generation;
    const reached = [...sent, ...(await result.responseMessages)];
    const cutOff = closed(reached, CUT_OFF, new Set(asked.map(({ id }) => id)));
    turn.begin(cutOff.messages);
    await state.keep(cutOff.messages);
    for (const failure of cutOff.failures) yield* generation.fail(failure);
    if (asked.length > 0) return yield* decide(this.#parts, asked, turn, signal);
    if (turn.isFull) return undefined;
    const reason = endReasonOf(await result.finishReason, await result.rawFinishReason);
    if (reason === 'error') throw new Error('The provider ended the answer with an error.');
    // The loop's own step limit stopped it, for example after many loads and searches.
    const isSpent = limit !== undefined && turn.rounds >= limit;
    if (reason === 'rounds' && !isSpent) yield roundsOf(context, state.messages, turn, limit);
    return reason === 'done' && isSpent ? 'rounds' : reason;
  }
}

function failedBy(error: unknown): { readonly error: Error; readonly code: EndCode } {
  return { error: error as Error, code: endCodeOf(error) };
}

/** The event with an error as plain data. */
function plainEnd(event: AgentEvent): AgentEvent {
  if (event.type !== 'end' || !event.error) return event;
  const { name, message } = event.error;
  return { ...event, error: { name, message } };
}
