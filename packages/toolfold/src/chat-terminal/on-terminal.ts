import { flushCompileCache } from 'node:module';
import { type Chat, type ChatRequest, foundLines, greeting } from '../chat/index.ts';
import { themeWith } from '../chat-view/index.ts';
import { shortId } from '../stored-sessions/index.ts';
import { type CommandContext, importOptional } from '../terminal/index.ts';
import { ChatUi } from './chat-ui.ts';

/** Milliseconds after which the user is told that the end waits. */
const PATIENCE = 1500;

const WAITING = 'The session is still being written. Ctrl-C ends the chat without it.';

/**
 * Runs the chat until the user ends it. The first frame is drawn before the code of the agent and its libraries
 * is loaded.
 */
export async function onTerminal(
  { message, options }: ChatRequest,
  context: CommandContext,
): Promise<void> {
  const ui = new ChatUi({
    theme: themeWith(!process.env.NO_COLOR),
    isInline: options.inline === true,
    prompt: message,
    choosesSession: options.resume === true,
  });
  // The screen is shown while the servers are opened: nothing else may be written on it.
  const terminal = { ...context.terminal, note: ui.note, isInteractive: false };
  const surface = { context: { ...context, terminal }, note: ui.note };
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let closed: Promise<void> | undefined;
  let left: readonly string[] = [];
  const open = () =>
    new Promise<Chat>((resolve, reject) => {
      const load = () => import('../chat/open-chat.ts');
      closed = importOptional('ai', 'toolfold chat', load).then(({ withChat }) =>
        withChat(
          options,
          { ...surface, canAsk: true, onChange: ui.update },
          async (host, first) => {
            if (first === undefined) ui.show(greeting(host));
            else await host.talk.open(first);
            void foundLines(host).then(ui.show);
            resolve(host);
            await ended;
            left = lastLines(host);
          },
        ),
      );
      closed.catch(reject);
    });
  try {
    await ui.run(open, context.signal);
  } finally {
    end();
    const late = setTimeout(() => context.terminal.note(WAITING), PATIENCE);
    try {
      await closed;
    } finally {
      clearTimeout(late);
    }
    // Node does it once only, when the screen is started: the library sends a signal to its own process.
    flushCompileCache();
    for (const line of left) context.terminal.note(line);
  }
}

/** How to go on with the session. */
function lastLines({ talk, isKept, wayBack }: Chat): readonly string[] {
  if (!talk.session) return [];
  if (!isKept) return ['The demo has ended. Nothing of it is kept.'];
  const id = shortId(talk.session.id);
  return [`Session ${id} is kept. To go on with it: ${wayBack('chat -r')}`];
}
