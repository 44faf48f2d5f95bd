import type { KnownTool } from '../../app/servers/known-tools/index.ts';
import {
  askLine,
  type CommandContext,
  formatNumber,
  oneLine,
  RunNotes,
} from '../../app/terminal/index.ts';
import { errorMessage, ToolfoldError } from '../../errors.ts';
import type { ServerPool } from '../../mcp/index.ts';
import type { CallHost, ToolProgress } from '../../tools/tool/index.ts';
import { asSentence } from '../../tools/values/index.ts';

const MAX_MESSAGE = 200;

/** A call that was answered, or one that failed. A result that is an error is an answer. */
export type CallOutcome =
  | { readonly kind: 'answered'; readonly result: unknown }
  | { readonly kind: 'failed'; readonly message: string; readonly isLate: boolean };

/** Asks the user what the server of a call wants to know. */
interface Questions {
  readonly elicit: (tool: string) => NonNullable<CallHost['elicit']>;
  /** Replaces the line of progress. Nothing is shown during a question. */
  readonly progress: (line: string) => void;
}

export interface CallSettings {
  readonly pool: ServerPool;
  /** The time limit of the command in seconds. */
  readonly timeout: number | undefined;
  readonly late: AbortSignal | undefined;
  readonly context: Pick<CommandContext, 'terminal' | 'signal'>;
  /** Undefined if nobody can be asked. */
  readonly questions: Questions | undefined;
}

/**
 * Calls a tool, and shows its progress. Rejects only with the reason of the context's signal: the
 * server then hears that the call is cancelled.
 */
export async function callTool(
  tool: KnownTool,
  input: Readonly<Record<string, unknown>>,
  { pool, timeout, late, context: { terminal, signal }, questions }: CallSettings,
): Promise<CallOutcome> {
  const connection = pool.connection(tool.server);
  const overwrite = terminal.isInteractive ? terminal.overwrite : () => {};
  const show = questions?.progress ?? overwrite;
  const host: CallHost = {
    ...(terminal.isInteractive && {
      onProgress: (progress) => show(`${tool.name}: ${progressText(progress)}`),
    }),
    ...(questions && { elicit: questions.elicit(tool.name) }),
  };
  try {
    show(`Calling ${tool.name}`);
    const result = await connection?.callTool(tool.listed, input, {
      signal: late ? AbortSignal.any([signal, late]) : signal,
      ...(Object.keys(host).length > 0 ? { host } : {}),
    });
    return { kind: 'answered', result };
  } catch (error) {
    signal.throwIfAborted();
    if (late?.aborted && timeout !== undefined) {
      return { kind: 'failed', message: lateText(tool.name, timeout), isLate: true };
    }
    return { kind: 'failed', message: failureText(tool.name, error), isLate: false };
  } finally {
    show('');
  }
}

/** `3 of 10, reading`, as far as it is known. */
export function progressText({ progress, total, message }: ToolProgress): string {
  const amount = [progress, total ?? []].flat().map(formatNumber).join(' of ');
  const text = typeof message === 'string' ? oneLine(message, MAX_MESSAGE) : '';
  return text === '' ? amount : `${amount}, ${text}`;
}

function lateText(name: string, seconds: number): string {
  return `${name} did not answer within ${seconds.toLocaleString('en-US')} s and was cancelled. It may or may not have taken effect.`;
}

function failureText(name: string, error: unknown): string {
  if (error instanceof ToolfoldError) return error.message;
  return asSentence(`${name} failed: ${errorMessage(error)}`);
}

/** Questions on the terminal. The code for them is loaded only there. */
export async function questionsOn({
  terminal,
  streams,
  signal,
}: Pick<CommandContext, 'terminal' | 'streams' | 'signal'>): Promise<Questions> {
  const { byStep, elicitationAnswer, elicitationQuestion } = await import(
    '../../app/asking/steps/index.ts'
  );
  const notes = new RunNotes(terminal.note, terminal.overwrite);
  const ask = byStep({
    show: notes.now,
    askLine: (question, stop) => askLine(question, stop, streams),
  });
  return {
    elicit:
      (name) =>
      ({ signal: asked, ...request }) =>
        notes.during(async () => {
          const stop = AbortSignal.any([signal, asked]);
          stop.throwIfAborted();
          return elicitationAnswer(await ask(elicitationQuestion({ ...request, name }), stop));
        }),
    progress: notes.progress,
  };
}
