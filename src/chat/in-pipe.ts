import type { CommandContext } from '../app/terminal/index.ts';
import { textWriter } from '../app/turns/index.ts';
import { ToolfoldError } from '../errors.ts';
import type { Chat } from './opened/index.ts';
import type { ChatRequest } from './options.ts';
import { chatInPipe } from './pipe/index.ts';
import { withChat } from './with-chat.ts';

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
  const { note, out } = context.terminal;
  let host: Chat | undefined;
  const hidden = (text: string) => note(host?.hide(text) ?? text);
  const take = textWriter({ out, note: hidden }, undefined, () => host?.setUp.settings.currency);
  const surface = { context, note: hidden, canAsk: false, onChange: () => {}, take };
  await withChat(options, surface, async (opened, first) => {
    host = opened;
    if (host.modelName === undefined) throw await host.setUp.directory.noModel();
    await host.talk.open(first);
    context.exitWith(await chatInPipe(host, message, context));
  });
}
