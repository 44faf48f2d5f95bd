import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { errorMessage, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { textWriter, turnCode } from '../conversations/index.ts';
import { byStep } from '../questions/index.ts';
import {
  type CommandContext,
  callLine,
  canAsk,
  exitCode,
  INERT,
  usageError,
  withFiles,
} from '../terminal/index.ts';
import type { CommandUi } from './command.ts';
import { isCommand, runCommand } from './commands.ts';
import { greeting } from './greeting.ts';
import { type Chat, type ChatRequest, withChat } from './open-chat.ts';

/** Each line of stdin is a message. Answers go to stdout, everything else to stderr. */
export async function inPipe(
  { message, options }: ChatRequest,
  context: CommandContext,
): Promise<void> {
  if (options.resume === true)
    throw usageError(
      'Without a terminal there is nobody to choose a session.',
      'Give its id: toolfold chat -r 3f2a. List the sessions: toolfold sessions ls.',
    );
  const { note, out } = context.terminal;
  let host: Chat | undefined;
  const hidden = (text: string) => note(host?.hide(text) ?? text);
  const facts = () => ({ currency: host?.setUp.settings.currency });
  const take = textWriter({ out, note: hidden }, undefined, facts);
  const { stdin: input, stderr: output } = context.streams;
  const reader = createInterface({ input, output, terminal: false, signal: context.signal });
  // It keeps the lines that come before they are read, and does not get those that answer a question.
  const lines = reader[Symbol.asyncIterator]();
  const closed = once(reader, 'close').then(() => undefined);
  const askLine = async (question: string, signal: AbortSignal) => {
    // What was typed before is a message, also where the process was too busy to read it.
    await pause(INERT, undefined, { signal });
    return Promise.race([closed, reader.question(host?.hide(question) ?? question, { signal })]);
  };
  // On a terminal without escape sequences.
  const ask = canAsk(context.streams) ? byStep({ show: hidden, askLine }) : undefined;
  const surface = { context, note: hidden, canAsk: false, ask, onChange: () => {}, take };
  try {
    await withChat(options, surface, async (opened, first) => {
      host = opened;
      if (host.modelName === undefined) throw await host.setUp.directory.noModel();
      if (input.isTTY) note(greeting(host).join('\n'));
      await host.talk.open(first);
      if (ask && message === undefined) await host.talk.offerToContinue();
      const code = await chatInPipe(host, message, lines, { ...context, note: hidden });
      // Somebody at a terminal may leave without a word.
      if (code === undefined && !input.isTTY && !context.signal.aborted)
        throw usageError(
          'No message came: without a terminal each line of stdin is one, and stdin is empty.',
          "Use a terminal, or a pipe: printf 'What can you do?\\n' | toolfold chat.",
        );
      context.exitWith(code ?? exitCode.ok);
    });
  } finally {
    reader.close();
  }
}

/**
 * Answers each line of stdin, after `first` if it is given. Returns the exit code of the first turn that did
 * not succeed, and nothing if there was no line to answer. Stops when the command is stopped.
 */
async function chatInPipe(
  host: Chat,
  first: string | undefined,
  lines: AsyncIterator<string>,
  { signal, note }: Pick<CommandContext, 'signal'> & { note(text: string): void },
): Promise<number | undefined> {
  let code: number | undefined;
  let isOver = false;
  const ui: CommandUi = {
    ...{ host, signal },
    show: (lines) => note(lines.join('\n')),
    quit: () => {
      isOver = true;
    },
  };
  const answer = async (line: string): Promise<void> => {
    const text = line.trim();
    if (text === '') return;
    code ??= exitCode.ok;
    try {
      if (isCommand(text)) return await runCommand(ui, text);
      const own = await answered(host, text, note);
      if (code === exitCode.ok) code = own;
    } catch (error) {
      note(`toolfold: ${errorMessage(error)}`);
      const isUsage = error instanceof ToolfoldError && error.code === 'invalid-option';
      if (code === exitCode.ok) code = isUsage ? exitCode.usage : exitCode.failed;
    }
  };
  const stop = () => void host.talk.cancelHere();
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (first !== undefined) await answer(first);
    while (!isOver && !signal.aborted) {
      const { value, done } = await lines.next();
      if (done || signal.aborted) break;
      await answer(value);
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return code;
}

async function answered(host: Chat, text: string, note: (text: string) => void): Promise<number> {
  const { text: whole, files, problems, missing } = await withFiles(text, process.cwd());
  for (const line of [...problems, ...missing]) note(line);
  if (problems.length > 0) {
    note('The message was not sent.');
    return exitCode.usage;
  }
  const { reason } = await host.talk.send(whole, files);
  const pending = host.talk.agent?.pending ?? [];
  for (const { name, arguments: given } of pending)
    note(`It waits for approval: ${callLine(name, given)}`);
  if (pending.length > 0 && host.isKept)
    note(`To answer, on a terminal: ${host.wayBack('chat -r')}`);
  return turnCode(reason, { unasked: new Set() });
}
