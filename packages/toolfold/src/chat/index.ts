import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { type CommandContext, canAsk, importOptional } from '../app/terminal/index.ts';
import type { ChatRequest } from './with-chat.ts';

export type { ChatOptions } from './with-chat.ts';

/** The chat: on the terminal if there is one, else with each line of stdin as a message. */
export async function chat(request: ChatRequest, context: CommandContext): Promise<void> {
  const { stdin, stdout } = context.streams;
  await askForTrust(request, context);
  // A terminal without escape sequences, such as the shell of an editor, is used like a pipe.
  if (stdin.isTTY === true && stdout.isTTY === true && process.env.TERM !== 'dumb') {
    const { onTerminal } = await import('./on-terminal.ts');
    return onTerminal(request, context);
  }
  const load = () => import('./in-pipe.ts');
  const { inPipe } = await importOptional('ai', 'toolfold chat', load);
  await inPipe(request, context);
}

/**
 * Asks about entries of the project's files before the screen begins. Where there is no such file, nothing is loaded
 * for that. What is read here is read again.
 */
async function askForTrust({ options }: ChatRequest, context: CommandContext): Promise<void> {
  if (options.demo || options.config !== undefined || !canAsk(context.streams)) return;
  const { configPlaces } = await import('@toolfold/mcp/internal/mcp/clients/places.ts');
  const { env, platform } = process;
  const places = configPlaces({ cwd: process.cwd(), home: homedir(), platform, env });
  if (!places.some(({ scope, file }) => scope === 'project' && existsSync(file))) return;
  const { loadConfig, trustHost } = await import('../app/servers/index.ts');
  await loadConfig(undefined, { ...trustHost(context), note: () => {} });
}
