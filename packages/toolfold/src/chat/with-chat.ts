import { memoryStore, type SessionStore } from '@toolfold/agent/internal/sessions';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import type { AgentFlags } from '../app/agents/flags/index.ts';
import { findSession, openStore, WaitingMessages } from '../app/sessions/index.ts';
import type { CommandContext } from '../app/terminal/index.ts';
import { type Chat, type ChatOptions as OpenOptions, openChat } from './opened/index.ts';

/** The flags of `toolfold chat`. */
export interface ChatOptions extends AgentFlags {
  /** Go on with the last session of this folder. */
  readonly continue?: true;
  /** The id of a session or its beginning; true to choose it from a list. */
  readonly resume?: string | true;
  /** On the main screen instead of the alternate one. */
  readonly inline?: true;
  readonly demo?: true;
}

/** What the user typed. */
export interface ChatRequest {
  readonly message: string | undefined;
  readonly options: ChatOptions;
}

/** What a surface gives to its chat. */
export interface ChatSurface
  extends Pick<OpenOptions, 'canAsk' | 'ask' | 'onChange' | 'note' | 'take'> {
  readonly context: CommandContext;
}

/** Works with a chat. `first`: the session to go on with. */
export type ChatWork = (chat: Chat, first: string | undefined) => Promise<void>;

/**
 * Opens what the flags name: sessions, configuration and servers. Runs `work` with them, and closes them when
 * it has ended. Rejects as `work` does, with `session-unknown`, and as `openChat` does.
 */
export async function withChat(
  flags: ChatOptions,
  surface: ChatSurface,
  work: ChatWork,
): Promise<void> {
  if (flags.demo) return withDemo(flags, surface, work);
  const store = await openStore(surface, surface.context.unwritten);
  try {
    const first = await sessionOf(store, flags);
    // What comes from a pipe is not asked about.
    const waiting = surface.canAsk ? new WaitingMessages() : undefined;
    await using chat = await openChat({
      ...{ ...surface, store, flags, waiting, folder: process.cwd() },
    });
    await work(chat, first);
  } finally {
    await surface.context.unwritten.settled();
    await store.close();
  }
}

/** Six servers and a scripted model in a temporary folder. Nothing is kept. */
async function withDemo(options: ChatOptions, surface: ChatSurface, work: ChatWork): Promise<void> {
  const { startChatDemo } = await import('./demo/index.ts');
  await using demo = await startChatDemo();
  const { model, workplace } = demo;
  const { folder, config } = workplace;
  await using chat = await openChat({
    ...{ ...surface, store: memoryStore(), folder, model, noteConfig: () => {} },
    flags: { ...options, config },
  });
  await work(chat, undefined);
}

/** The session that the flags name. Rejects with `session-unknown` if there is none. */
async function sessionOf(
  store: SessionStore,
  { continue: last, resume }: ChatOptions,
): Promise<string | undefined> {
  if (typeof resume === 'string') return (await findSession(store, resume)).id;
  if (!last) return;
  const [record] = await store.list({ folder: process.cwd(), limit: 1 });
  if (record) return record.id;
  throw new ToolfoldError(
    'session-unknown',
    'There is no session in this folder.',
    'Begin one: toolfold chat.',
  );
}
