import { ToolfoldError } from '../../errors.ts';
import type { SessionStore } from '../../sessions/index.ts';
import { noModel, readSetUp } from '../agents/index.ts';
import { findSession, openStore } from '../sessions/index.ts';
import type { CommandContext } from '../terminal/index.ts';
import { serverLines } from './commands/index.ts';
import { ChatHost } from './host/index.ts';
import type { ChatOptions } from './options.ts';
import { chatInPipe } from './pipe/index.ts';
import { ChatUi } from './terminal/index.ts';
import { themeWith } from './view/index.ts';

/** What the user typed. */
export interface ChatRequest {
  readonly message: string | undefined;
  readonly options: ChatOptions;
}

/** Runs the chat until the user ends it. */
export async function runChat(request: ChatRequest, context: CommandContext): Promise<void> {
  const { options } = request;
  const store = await openStore(context.terminal);
  try {
    const setUp = await readSetUp(options, context.terminal.note);
    const first = await sessionOf(store, options);
    const { stdin, stdout } = context.streams;
    const isTerminal = stdin.isTTY === true && stdout.isTTY === true;
    const run = isTerminal ? onTerminal : inPipe;
    await run(request, { store, setUp, first }, context);
  } finally {
    await store.close();
  }
}

/** Each line of stdin is a message. Answers go to stdout, everything else to stderr. */
async function inPipe(
  { message, options }: ChatRequest,
  { store, setUp, first }: Opened,
  context: CommandContext,
): Promise<void> {
  const { note } = context.terminal;
  const host = await ChatHost.open({
    ...{ setUp, store, flags: options, context, note },
    canAsk: false,
    onChange: () => {},
  });
  try {
    if (host.modelName === undefined) throw noModel();
    await host.open(first);
    context.exitWith(await chatInPipe(host, message, context));
  } finally {
    await host.close();
  }
}

async function onTerminal(
  { message, options }: ChatRequest,
  { store, setUp, first }: Opened,
  context: CommandContext,
): Promise<void> {
  const { stdout } = context.streams;
  const theme = themeWith(stdout.isTTY === true && !process.env.NO_COLOR);
  const ui = new ChatUi({ theme, isInline: options.inline === true, prompt: message });
  const quiet = { ...context, terminal: { ...context.terminal, note: ui.note } };
  const host = await ChatHost.open({
    ...{ setUp, store, flags: options, context: quiet },
    canAsk: true,
    onChange: ui.update,
    note: ui.note,
  });
  try {
    if (first !== undefined) await host.open(first);
    if (host.modelName === undefined || !setUp.config) ui.show(serverLines(host));
    await ui.run(host, context.signal);
  } finally {
    await host.close();
  }
}

interface Opened {
  readonly store: SessionStore;
  readonly setUp: Awaited<ReturnType<typeof readSetUp>>;
  /** The session to go on with. */
  readonly first: string | undefined;
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
