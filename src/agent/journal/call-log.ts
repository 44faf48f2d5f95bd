import { errorMessage } from '../../errors.ts';
import type { ExecutedCall } from '../../host/index.ts';
import { raceAbort } from '../../tools/values/index.ts';
import { errorText, INTERRUPTED, INTERRUPTED_MESSAGE } from '../conversation/index.ts';
import type { Journal } from './journal.ts';
import type { Run } from './journal-state.ts';
import type { Kinds, RunOutcome, UnknownChoice } from './kinds.ts';

export interface CallLogOptions {
  /** Whether a call may run twice: a trusted source says that it only reads, or that repeating it changes nothing more. */
  readonly isRepeatable: (name: string) => boolean;
  /** What the user decides about a call whose outcome is unknown; undefined if nobody can be asked. */
  readonly choose: (call: ExecutedCall) => Promise<UnknownChoice | undefined>;
}

interface RunOptions {
  /** Gets how long the tool took, in milliseconds. */
  readonly onEnd?: (duration: number) => void;
  /** Fires when the turn is cancelled. */
  readonly signal?: AbortSignal | undefined;
}

/** A call that the AI SDK has run. */
interface EndedCall {
  readonly type: 'tool-result' | 'tool-error';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output?: unknown;
  readonly error?: unknown;
}

/** Writes each run of a tool before and after it, and runs nothing twice that may have had an effect. */
export class CallLog {
  readonly #journal: Journal;
  readonly #options: CallLogOptions;
  /** Ids of calls whose result is being written. */
  readonly #writing = new Set<string>();

  constructor(journal: Journal, options: CallLogOptions) {
    this.#journal = journal;
    this.#options = options;
  }

  /**
   * Runs a call, or returns what an earlier process has recorded of it. Throws what the tool throws, and
   * the error of the journal if the start cannot be written; then the tool has not run.
   */
  async run(
    call: ExecutedCall,
    run: () => Promise<unknown>,
    { onEnd = () => {}, signal }: RunOptions = {},
  ): Promise<unknown> {
    if (!this.#journal.session) return run();
    const past = this.#journal.state.runs.get(call.id);
    if (past?.outcome) return replay(past.outcome);
    const known = past && (await this.#settle(call, past));
    const { id, name, input } = call;
    if (known) {
      await this.#journal.write(['result', { id, name, ...known }]);
      return replay(known);
    }
    const { calls } = this.#journal.state;
    await this.#journal.write(
      ...(calls.has(id) ? [] : [['call', { id, name, arguments: input }] as const]),
      ['start', { id, name }],
    );
    const answer = this.#journal.state.answered?.seq ?? 0;
    const begun = performance.now();
    const took = () => {
      const duration = Math.round(performance.now() - begun);
      onEnd(duration);
      return { duration };
    };
    let output: unknown;
    try {
      output = await run();
    } catch (error) {
      const outcome = { error: errorMessage(error), thrown: errorText(error) };
      await this.#writeResult({ answer, id, name, ...outcome, ...took() }, signal);
      throw error;
    }
    await this.#writeResult({ answer, id, name, output, ...took() }, signal);
    return output;
  }

  /**
   * Writes a result. A cancelled turn does not wait for it: what it writes later stands behind it. A journal
   * that cannot be written ends the turn, and its error is not the outcome of the tool.
   */
  async #writeResult(result: Kinds['result'], signal?: AbortSignal): Promise<void> {
    this.#writing.add(result.id);
    const written = this.#journal
      .write(['result', result])
      .catch(() => {})
      .finally(() => this.#writing.delete(result.id));
    await (signal ? raceAbort(written, signal).catch(() => {}) : written);
  }

  /** Records the outcome of a call that had started and cannot run any more. */
  async close(call: ExecutedCall): Promise<void> {
    const past = this.#journal.state.runs.get(call.id);
    if (!past || past.outcome) return;
    const { id, name } = call;
    const known = (await this.#chosen(call, past)) ?? UNKNOWN;
    await this.#journal.write(['result', { id, name, ...known }]);
  }

  /**
   * Writes the result of a call that did not come to `run`: that of a bridge tool, or a refusal. Never
   * rejects: a journal that cannot be written ends the turn.
   */
  async end(outcome: EndedCall, isBridge: boolean): Promise<void> {
    const { toolCallId: id, toolName: name } = outcome;
    const { session, state, failure } = this.#journal;
    if (!session || failure || this.#writing.has(id) || state.runs.get(id)?.outcome) return;
    const { error } = outcome;
    const what =
      outcome.type === 'tool-error'
        ? { error: errorMessage(error), thrown: errorText(error) }
        : { output: outcome.output };
    const bridge = isBridge ? { isBridge: true as const } : {};
    await this.#writeResult({ id, name, ...what, ...bridge });
  }

  /** What is known of a call that had started. Undefined if it runs again. */
  async #settle(call: ExecutedCall, past: Run): Promise<RunOutcome | undefined> {
    return this.#options.isRepeatable(call.name) ? undefined : this.#chosen(call, past);
  }

  /** The outcome that the user has chosen. Undefined if the call is to run again. */
  async #chosen(call: ExecutedCall, past: Run): Promise<RunOutcome | undefined> {
    const { id, name } = call;
    let choice: UnknownChoice | undefined = past.choice;
    if (!choice) {
      choice = await this.#options.choose(call);
      if (choice) await this.#journal.write(['unknown', { id, name, ...choice }]);
    }
    switch (choice?.choice) {
      case 'again':
        return;
      case 'happened':
        return { output: happened(choice.note) };
      default:
        return UNKNOWN;
    }
  }
}

/** The outcome of a call about which nobody knows more. */
const UNKNOWN: RunOutcome = { error: INTERRUPTED_MESSAGE, thrown: INTERRUPTED };

/** The result of a call that has taken effect, as the user says. */
function happened(note: string | undefined): object {
  return {
    status: 'done',
    message: 'The call was interrupted. The user says that it has taken effect.',
    ...(note === undefined || note.trim() === '' ? {} : { note }),
  };
}

/** An error of an earlier process, with the text that the model got. */
class RecordedError extends Error {
  readonly #thrown: string;

  constructor(error: string, thrown: string) {
    super(error);
    this.#thrown = thrown;
  }

  override toString(): string {
    return this.#thrown;
  }
}

function replay({ output, error, thrown }: RunOutcome): unknown {
  if (error === undefined) return output;
  throw new RecordedError(error, thrown ?? error);
}
