import { readSetUp } from '../app/agents/index.ts';
import { findSession, openStore } from '../app/sessions/index.ts';
import type { CommandContext } from '../app/terminal/index.ts';
import { ToolfoldError } from '../errors.ts';
import { memoryStore, type SessionStore } from '../sessions/index.ts';
import { ChatHost, type HostOptions } from './host/index.ts';
import type { ChatOptions } from './options.ts';

/** What a surface gives to its host. */
export interface HostSurface extends Pick<HostOptions, 'canAsk' | 'onChange' | 'note'> {
  readonly context: CommandContext;
}

/** Works with a host. `first`: the session to go on with. */
export type HostWork = (host: ChatHost, first: string | undefined) => Promise<void>;

/**
 * Opens what the flags name: sessions, configuration and servers. Runs `work` with them, and closes them when
 * it has ended. Rejects as `work` does, with `session-unknown`, and as `readSetUp` does.
 */
export async function withHost(
  flags: ChatOptions,
  surface: HostSurface,
  work: HostWork,
): Promise<void> {
  if (flags.demo) return withDemo(flags, surface, work);
  const store = await openStore(surface, surface.context.unwritten);
  try {
    const setUp = await readSetUp(flags, surface.note);
    const first = await sessionOf(store, flags);
    const folder = process.cwd();
    await withOpened({ ...surface, store, setUp, flags, folder }, (host) => work(host, first));
  } finally {
    await store.close();
  }
}

/** Six servers and a scripted model in a temporary folder. Nothing is kept. */
async function withDemo(options: ChatOptions, surface: HostSurface, work: HostWork): Promise<void> {
  const { startChatDemo } = await import('./demo/index.ts');
  await using demo = await startChatDemo();
  const flags = { ...options, config: demo.workplace.config };
  const setUp = await readSetUp(flags, () => {});
  const { folder } = demo.workplace;
  const opened = { ...surface, setUp, flags, store: memoryStore(), folder, model: demo.model };
  await withOpened(opened, (host) => work(host, undefined));
}

async function withOpened(
  options: HostOptions,
  work: (host: ChatHost) => Promise<void>,
): Promise<void> {
  const host = await ChatHost.open(options);
  try {
    await work(host);
  } finally {
    await host.close();
  }
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
