import { errorMessage, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import type { CallHost, ToolProgress } from '@toolfold/core/internal/tools/tool';
import { asSentence } from '@toolfold/core/internal/tools/values';
import type { KnownTool } from '@toolfold/mcp/internal/known-tools';
import type { ServerPool } from '@toolfold/mcp/internal/mcp';
import { askLine, type CommandContext, oneLine, RunNotes } from '../../app/terminal/index.ts';
import { progressWords } from '../../app/words/index.ts';

const MAX_MESSAGE = 200;

/** The answer of a tool, or why there is none. A result that is an error is an answer. */
type CallOutcome = { readonly result: unknown } | { readonly failure: string };

/** Asks the user what the server of a call wants to know. */
interface Questions {
  readonly elicit: (tool: string) => NonNullable<CallHost['elicit']>;
  /** Replaces the line of progress. Nothing is shown during a question. */
  readonly progress: (line: string) => void;
}

export interface CallSettings {
  readonly pool: ServerPool;
  readonly context: CommandContext;
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
  { pool, context: { terminal, signal }, questions }: CallSettings,
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
      signal,
      ...(Object.keys(host).length > 0 ? { host } : {}),
    });
    return { result };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ToolfoldError) return { failure: error.message };
    return { failure: asSentence(`${tool.name} failed: ${errorMessage(error)}`) };
  } finally {
    show('');
  }
}

/** `3 of 10, reading`, as far as it is known. */
export function progressText({ message, ...amount }: ToolProgress): string {
  const text = typeof message === 'string' ? oneLine(message, MAX_MESSAGE) : '';
  return progressWords({ ...amount, message: text });
}

/** Questions on the terminal. The code for them is loaded only there. */
export async function questionsOn(context: CommandContext): Promise<Questions> {
  const { terminal, streams, signal } = context;
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
