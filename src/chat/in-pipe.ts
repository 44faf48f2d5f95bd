import { noModel } from '../app/agents/index.ts';
import type { CommandContext } from '../app/terminal/index.ts';
import { ToolfoldError } from '../errors.ts';
import type { ChatRequest } from './options.ts';
import { chatInPipe } from './pipe/index.ts';
import { withHost } from './with-host.ts';

/** Each line of stdin is a message. Answers go to stdout, everything else to stderr. */
export async function inPipe(
  { message, options }: ChatRequest,
  context: CommandContext,
): Promise<void> {
  if (options.resume === true) {
    throw new ToolfoldError(
      'invalid-option',
      'Without a terminal there is nobody to choose a session.',
      'Give its id: toolfold chat -r 3f2a. List the sessions: toolfold sessions ls.',
    );
  }
  const { note } = context.terminal;
  const surface = { context, note, canAsk: false, onChange: () => {} };
  await withHost(options, surface, async (host, first) => {
    if (host.modelName === undefined) throw noModel();
    await host.open(first);
    context.exitWith(await chatInPipe(host, message, context));
  });
}
