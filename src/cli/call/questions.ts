import type { CallHost } from '../../tools/tool/index.ts';
import { askLine, type CommandContext } from '../terminal/index.ts';

/** Asks the user what the server of a call wants to know. */
export interface Questions {
  readonly elicit: (tool: string) => NonNullable<CallHost['elicit']>;
  /** Replaces the line of progress. Nothing is shown during a question. */
  readonly progress: (line: string) => void;
}

/** Questions on the terminal. The code for them is loaded only there. */
export async function questionsOn({
  terminal,
  streams,
  signal,
}: Pick<CommandContext, 'terminal' | 'streams' | 'signal'>): Promise<Questions> {
  const [{ createElicitor }, { RunNotes }] = await Promise.all([
    import('../elicitations/index.ts'),
    import('../turns/index.ts'),
  ]);
  const notes = new RunNotes(terminal.note, terminal.overwrite);
  const ask = createElicitor({
    ...{ note: notes.now, hold: notes.during, signal },
    askLine: (question, stop) => askLine(question, stop, streams),
  });
  return {
    elicit: (name) => (request) => ask({ ...request, name }),
    progress: notes.progress,
  };
}
