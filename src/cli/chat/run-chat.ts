import type { LanguageModel } from 'ai';
import { ToolfoldError } from '../../errors.ts';
import { memoryStore, type SessionStore } from '../../sessions/index.ts';
import { noModel, readSetUp } from '../agents/index.ts';
import { findSession, openStore } from '../sessions/index.ts';
import type { CommandContext } from '../terminal/index.ts';
import { greeting } from './first-use/index.ts';
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
  const { stdin, stdout } = context.streams;
  const isTerminal = stdin.isTTY === true && stdout.isTTY === true;
  const run = isTerminal ? onTerminal : inPipe;
  if (options.demo) return runDemo(request, run, context);
  const store = await openStore(context.terminal);
  try {
    const setUp = await readSetUp(options, context.terminal.note);
    const first = await sessionOf(store, options);
    await run(request, { store, setUp, first, folder: process.cwd() }, context);
  } finally {
    await store.close();
  }
}

/** Six servers and a scripted model in a temporary folder. Nothing is kept. */
async function runDemo(
  { message, options }: ChatRequest,
  run: typeof onTerminal,
  context: CommandContext,
): Promise<void> {
  const { startChatDemo } = await import('../demo/index.ts');
  await using demo = await startChatDemo();
  const flags = { ...options, config: demo.workplace.config };
  const setUp = await readSetUp(flags, () => {});
  const { folder } = demo.workplace;
  const opened = { setUp, store: memoryStore(), folder, first: undefined, model: demo.model };
  await run({ message, options: flags }, opened, context);
}

/** Each line of stdin is a message. Answers go to stdout, everything else to stderr. */
async function inPipe(
  { message, options }: ChatRequest,
  { first, ...opened }: Opened,
  context: CommandContext,
): Promise<void> {
  const { note } = context.terminal;
  if (options.resume === true) {
    throw new ToolfoldError(
      'invalid-option',
      'Without a terminal there is nobody to choose a session.',
      'Give its id: toolfold chat -r 3f2a. List the sessions: toolfold sessions ls.',
    );
  }
  const host = await ChatHost.open({
    ...{ ...opened, flags: options, context, note },
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
  { first, ...opened }: Opened,
  context: CommandContext,
): Promise<void> {
  const { stdout } = context.streams;
  const theme = themeWith(stdout.isTTY === true && !process.env.NO_COLOR);
  const ui = new ChatUi({
    theme,
    isInline: options.inline === true,
    prompt: message,
    choosesSession: options.resume === true,
  });
  const quiet = { ...context, terminal: { ...context.terminal, note: ui.note } };
  const host = await ChatHost.open({
    ...{ ...opened, flags: options, context: quiet },
    canAsk: true,
    onChange: ui.update,
    note: ui.note,
  });
  try {
    if (first === undefined) ui.show(greeting(host));
    else await host.open(first);
    await ui.run(host, context.signal);
  } finally {
    await host.close();
  }
}

interface Opened {
  readonly store: SessionStore;
  readonly folder: string;
  readonly setUp: Awaited<ReturnType<typeof readSetUp>>;
  /** The session to go on with. */
  readonly first: string | undefined;
  readonly model?: LanguageModel;
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
