import { errorMessage } from '@toolfold/core/internal/errors.ts';
import {
  cannotRun,
  type ExecutedCall,
  heldOutput,
  readStamp,
  textOf,
} from '@toolfold/core/internal/host';
import { ownProperty, pick, raceAbort, within, withMarks } from '@toolfold/core/internal/values';
import type { ModelMessage, ToolSet, TypedToolError, TypedToolResult } from 'ai';
import type { Kinds, ResultPart, RunOutcome, UnknownChoice, Write } from '../entries/index.ts';
import type { Log } from '../log/index.ts';
import type { AgentOptions } from '../options/index.ts';
import {
  answeredCalls,
  type ConversationState,
  INTERRUPTED,
  INTERRUPTED_MESSAGE,
  NOT_APPROVED,
  NOT_RUN,
  openCalls,
  outputOf,
} from '../state/index.ts';
import { TOOL_GRACE } from '../tasks/index.ts';

interface CallLogOptions {
  /** Whether a call may run twice: a trusted source says that it only reads, or that repeating it changes nothing more. */
  readonly isRepeatable: (name: string) => boolean;
  /** Why a call that has not begun does not run; undefined if it may. */
  readonly refuse: (call: ExecutedCall) => Promise<string | undefined>;
  /** What the user decides about a call whose outcome is unknown; undefined if nobody can be asked. */
  readonly choose: NonNullable<AgentOptions['onUnknown']>;
}

type RecordedOutcome = RunOutcome & Pick<Kinds['result'], 'isUnknown'>;

interface CallRunOptions {
  /** Fires when the turn is cancelled. */
  readonly signal?: AbortSignal | undefined;
  /** The tools, for those that convert their results for the model. */
  readonly tools?: ToolSet;
}

/** Writes each run of a tool before and after it, and runs nothing twice that may have had an effect. */
export class CallLog {
  readonly #log: Log;
  readonly #options: CallLogOptions;

  constructor(log: Log, options: CallLogOptions) {
    this.#log = log;
    this.#options = options;
  }

  /**
   * Runs a call, or returns what an earlier process has recorded of it. Throws what the tool throws, and
   * the error of the log if the start cannot be written; then the tool has not run.
   */
  async run(
    call: ExecutedCall,
    run: () => Promise<unknown>,
    { signal = new AbortController().signal, tools = {} }: CallRunOptions = {},
  ): Promise<unknown> {
    const { id, name } = call;
    const past = this.#log.state.runs.get(id);
    if (past?.outcome) return replay(past.outcome);
    const known =
      past && !this.#options.isRepeatable(name) ? await this.#chosen(call, signal) : undefined;
    if (known) {
      await this.#log.append(['result', { id, name, ...known }]);
      return replay(known);
    }
    const refused = past ? undefined : await this.#options.refuse(call);
    if (refused !== undefined) {
      const outcome = { error: refused, thrown: refused };
      await this.#log.append(['result', { id, name, ...outcome, denied: refused }]);
      return replay(outcome);
    }
    await this.#log.append(['start', { id, name, ...pick(call, 'repairs') }]);
    const answer = this.#log.state.answered?.seq ?? 0;
    const begun = performance.now();
    // Nothing begins in a turn that was cancelled before.
    const canBegin = !signal.aborted;
    const settle = async (outcome: RecordedOutcome) => {
      const duration = Math.round(performance.now() - begun);
      await this.#write({ answer, id, name, ...outcome, duration }, signal);
    };
    let output: unknown;
    try {
      output = await run();
    } catch (error) {
      // A tool that stops when its turn is cancelled cannot say what it has done by then.
      await settle(canBegin && signal.aborted ? LEFT : failureOf(error));
      throw error;
    }
    const shown = await this.#shown(tools, call, output);
    await settle({ output, ...(shown ? { shown } : {}) });
    return output;
  }

  /**
   * Writes a result. A cancelled turn does not wait for it: what it writes later stands behind it. A log that
   * cannot be written ends the turn, and its error is not the outcome of the tool.
   */
  async #write(result: Kinds['result'], signal?: AbortSignal): Promise<void> {
    const written = this.#log.append(['result', result]).catch(() => {});
    await (signal ? raceAbort(written, signal).catch(() => {}) : written);
  }

  /** The entries that settle a call that had started and cannot run any more. */
  async close(call: ExecutedCall, signal: AbortSignal): Promise<readonly Write[]> {
    const past = this.#log.state.runs.get(call.id);
    if (!past || past.outcome) return [];
    const { id, name } = call;
    const known = await this.#chosen(call, signal);
    return [['result', { id, name, ...(known ?? LEFT) }]];
  }

  /**
   * Writes the result of a call that did not come to `run`: that of a bridge tool, or a refusal. A call of a bridge
   * tool is shown if it fails. Never rejects: a log that cannot be written ends the turn.
   */
  async end(
    ended: TypedToolResult<ToolSet> | TypedToolError<ToolSet>,
    isBridge: boolean,
  ): Promise<void> {
    const { toolCallId: id, toolName: name, input } = ended;
    const { state, failure } = this.#log;
    // The error of a log that cannot be written is no result of the call.
    if (failure) return;
    if (state.runs.get(id)?.outcome || !state.open.some((open) => open.id === id)) return;
    if (ended.type === 'tool-result') {
      const bridge = isBridge ? { isBridge: true as const } : {};
      return this.#write({ id, name, output: ended.output, ...bridge });
    }
    const target = ownProperty(input, 'tool_name');
    const shown = isBridge && typeof target === 'string' ? target : name;
    const failed: Write = ['result', { id, name: shown, ...failureOf(ended.error) }];
    const call: Write = ['call', { id, name: shown, arguments: input }];
    await this.#log.append(...(isBridge ? [call] : []), failed).catch(() => {});
  }

  /** What the model gets of a result, where the tool converts it in its own way. */
  async #shown(
    tools: ToolSet,
    { id, name, input }: ExecutedCall,
    output: unknown,
  ): Promise<ResultPart['output'] | undefined> {
    const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
    if (!tool?.toModelOutput) return;
    let shown: ResultPart['output'] | undefined;
    const convert = async () => {
      try {
        const converted = await tool.toModelOutput?.({ toolCallId: id, input, output });
        shown = heldOutput(converted) as typeof converted;
      } catch (error) {
        // The SDK converts it again and reports the error to the app.
        shown = { type: 'error-text', value: `The result cannot be shown: ${errorText(error)}` };
      }
    };
    // The conversion has no time limit, but what the tool has done must be written.
    await within(TOOL_GRACE, convert());
    const { options } = this.#log.state.open.find((call) => call.id === id) ?? {};
    const usual = outputOf({ output }, readStamp(options)?.f === 'mcp');
    return JSON.stringify(usual) === JSON.stringify(shown) ? undefined : shown;
  }

  /** The outcome that the user has chosen, or nobody knows. Undefined if the call is to run again. */
  async #chosen(call: ExecutedCall, signal: AbortSignal): Promise<RecordedOutcome | undefined> {
    const { id, name, input } = call;
    const { at: startedAt, choice: known } = this.#log.state.runs.get(id) ?? {};
    let choice: UnknownChoice | undefined = known;
    if (!choice) {
      const since = pick({ startedAt }, 'startedAt');
      choice = await this.#options.choose({
        id,
        name,
        arguments: withMarks(input),
        ...since,
        signal,
      });
      if (choice) await this.#log.append(['unknown', { id, name, ...choice }]);
    }
    switch (choice?.choice) {
      case 'again':
        return;
      case 'happened':
        return { output: happened(choice.note) };
      default:
        return LEFT;
    }
  }
}

/** The outcome of a call that had started, where nobody knows or says more. */
const LEFT: RecordedOutcome = {
  error: INTERRUPTED_MESSAGE,
  thrown: INTERRUPTED,
  isUnknown: true,
};

function failureOf(error: unknown): RunOutcome {
  return { error: errorMessage(error), thrown: errorText(error) };
}

/** The text of an error as the SDK shows it to the model. For a refusal it is the refusal's answer. */
function errorText(error: unknown): string {
  if (error instanceof Error) return error.toString();
  return error === undefined ? 'unknown error' : errorMessage(error);
}

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

type ResultWrite = Extract<Write, readonly ['result', unknown]>;

interface ClosingOptions {
  /** Whether a name is that of a real tool and not of a bridge tool. */
  readonly isReal: (name: string) => boolean;
  /** The reason of a call that has not started. It follows from the state if left out. */
  readonly reason?: string;
  /** Ids of calls that run later and stay open. */
  readonly waiting?: ReadonlySet<string>;
}

/**
 * The results of calls that are open and will not run: providers refuse a call without a result. A call that had
 * started may have taken effect.
 */
export function closings(
  state: ConversationState,
  { isReal, reason, waiting = new Set() }: ClosingOptions,
): ResultWrite[] {
  const why = reason ?? (state.toReplay ? NOT_RUN : NOT_APPROVED);
  return state.open.flatMap(({ id, name }): ResultWrite[] => {
    if (waiting.has(id)) return [];
    const isShown = isReal(name) || state.calls.has(id);
    const bridge = isShown ? {} : { isBridge: true as const };
    if (!state.runs.has(id)) return [['result', { id, name, error: why, denied: why, ...bridge }]];
    return [['result', { id, name, ...LEFT, ...bridge }]];
  });
}

/** The messages with the results that the next turn will give to open calls. */
export function closedMessages(
  state: ConversationState,
  options: ClosingOptions,
): readonly ModelMessage[] {
  const content = closings(state, options).map(([, result]) => {
    const { id: toolCallId, name: toolName } = result;
    return { type: 'tool-result' as const, toolCallId, toolName, output: outputOf(result, false) };
  });
  return content.length > 0 ? [...state.messages, { role: 'tool', content }] : state.messages;
}

/**
 * The results of approved calls whose tool cannot run. The SDK skips tools without `execute`, and providers refuse a
 * call without a result. `messages`: they end with the answers to approvals.
 */
export function lostCalls(messages: readonly ModelMessage[], tools: ToolSet): Write[] {
  const asked = answeredCalls(messages);
  if (asked.size === 0) return [];
  return openCalls(messages).flatMap(({ id, name }): Write[] => {
    if (!asked.has(id) || canRun(tools, name)) return [];
    const lost = cannotRun(name);
    return [['result', { id, name, error: String(lost.result.message), thrown: textOf(lost) }]];
  });
}

function canRun(tools: ToolSet, name: string): boolean {
  return Object.hasOwn(tools, name) && typeof tools[name]?.execute === 'function';
}
