import { loadConfig, trustHost } from '../app/servers/index.ts';
import { type CommandContext, importOptional } from '../app/terminal/index.ts';
import type { ChatRequest } from './with-chat.ts';

export type { ChatOptions } from './with-chat.ts';

/** The chat: on the terminal if there is one, else with each line of stdin as a message. */
export async function chat(request: ChatRequest, context: CommandContext): Promise<void> {
  const { stdin, stdout } = context.streams;
  const host = trustHost(context);
  // Asked before the screen begins. What is read then is read again.
  if (host.confirm && !request.options.demo)
    await loadConfig(request.options.config, { ...host, note: () => {} });
  // A terminal without escape sequences, such as the shell of an editor, is used like a pipe.
  if (stdin.isTTY === true && stdout.isTTY === true && process.env.TERM !== 'dumb') {
    const { onTerminal } = await import('./on-terminal.ts');
    return onTerminal(request, context);
  }
  const load = () => import('./in-pipe.ts');
  const { inPipe } = await importOptional('ai', 'toolfold chat', load);
  await inPipe(request, context);
}
