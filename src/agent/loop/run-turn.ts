import { ToolChoiceViolationError } from 'ai';
import { raceAbort } from '../../tools/values/index.ts';
import type { AgentContext } from '../context/index.ts';
import { FORM, type TurnKind, type Write } from '../entries/index.ts';
import type { AgentEvent, EndReason } from '../events/index.ts';
import { takeMessage } from '../inbox/index.ts';
import { breakOff } from './break-off.ts';
import { generate } from './generate.ts';
import { endOf, warningsOf } from './opening.ts';
import { Turn } from './turn.ts';

/** What a turn is to do. */
export interface TurnPlan {
  readonly how: TurnKind;
  /** The id of the user's message. No turn runs if the conversation has a message with this id. */
  readonly id?: string | undefined;
  /** Returns the first entries, or throws if no turn can start. */
  readonly begin: () => readonly Write[];
  /** Runs before the first request. Returns a reason if the turn ends there. */
  readonly first?: (turn: Turn) => Promise<EndReason | undefined>;
}

export interface RunnerParts {
  readonly context: AgentContext;
  /** Resolves when nothing is written beside the turns. */
  readonly idle: Promise<unknown>;
  /** Something that is still written after the turn. */
  readonly later: (work: Promise<unknown>) => void;
  /** Called when another process has written the session meanwhile. */
  readonly onChanged: () => void;
  /** Settings that the log does not have yet. */
  readonly changes: () => readonly Write[];
  /** Warnings that the first turn gives. */
  readonly warnings: readonly string[] | undefined;
}

type End = Extract<AgentEvent, { type: 'end' }>;

/** Runs one turn. */
export class TurnRunner {
  readonly #parts: RunnerParts;
  readonly #stopped = new AbortController();
  readonly #signal: AbortSignal;
  #isBroken = false;

  constructor(parts: RunnerParts, signal: AbortSignal | undefined) {
    this.#parts = parts;
    this.#signal = AbortSignal.any([this.#stopped.signal, ...(signal ? [signal] : [])]);
  }

  /** Cancels the turn. */
  stop(): void {
    this.#stopped.abort();
  }

  /** Runs the turn, which holds the session. Does nothing if the message is known. */
  async run(plan: TurnPlan): Promise<void> {
    const { context, idle, later, onChanged } = this.#parts;
    const { log } = context;
    try {
      await raceAbort(idle, this.#signal);
      if (await this.#hold()) onChanged();
    } catch (error) {
      // No turn has begun.
      const isCancelled = this.#signal.aborted && !log.failure;
      const reason = isCancelled ? ('cancelled' as const) : ('error' as const);
      return log.emit(endOf(context, undefined, { reason, error }));
    }
    try {
      if (plan.id === undefined || !log.state.ids.has(plan.id)) await this.#turn(plan);
    } finally {
      const end = log.end();
      if (this.#isBroken) later(end);
      else await end;
    }
  }

  /** Takes the right to write the session. Resolves with whether another process has written meanwhile. */
  async #hold(): Promise<boolean> {
    const { context } = this.#parts;
    const { log, remote } = context;
    const hasChanged = await log.begin({
      onFailure: () => this.stop(),
      onMessage: (message) => takeMessage(message, context, () => this.stop()),
    });
    // The one who took them may have ended before their questions were asked.
    for (const message of log.state.posted)
      takeMessage(message, { remote, team: undefined }, () => {});
    return hasChanged;
  }

  async #turn({ how, begin, first }: TurnPlan): Promise<void> {
    const { context, changes, warnings } = this.#parts;
    const { log } = context;
    const signal = this.#signal;
    const entries = begin();
    const turn = new Turn(context, signal, how === 'resume' ? log.state.toReplay : undefined);
    let end: End;
    try {
      const number = log.state.turn + (how === 'send' ? 1 : 0);
      await log.append(['turn', { number, how, form: FORM }], ...changes(), ...entries);
      for (const text of warnings ?? []) await log.report({ type: 'warning', text });
      if (warnings) for (const event of warningsOf(context)) await log.report(event);
      let reason = await first?.(turn);
      while (reason === undefined) reason = await generate(context, turn);
      if (reason === 'cancelled') await this.#breakOff(turn, true);
      end = endOf(context, turn, { reason });
    } catch (error) {
      const isCancelled = signal.aborted;
      this.stop();
      await this.#breakOff(turn, isCancelled);
      // The model called a tool although the request forbade tool calls.
      const isForbiddenCall = ToolChoiceViolationError.isInstance(error);
      const reason = isCancelled ? 'cancelled' : isForbiddenCall ? 'rounds' : 'error';
      end = endOf(context, turn, { reason, error });
    }
    turn.isOver = true;
    const reported = log.report(end);
    if (!this.#isBroken) await reported;
  }

  async #breakOff(turn: Turn, isCancelled: boolean): Promise<void> {
    const { context } = this.#parts;
    const isWritten = await breakOff(context, turn, () =>
      context.meter.interruptedUsage(!isCancelled),
    );
    this.#isBroken = !isWritten;
  }
}
