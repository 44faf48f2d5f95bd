import { forkSession, openSession } from '@toolfold/agent/internal/sessions';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { strategyNames } from '@toolfold/core/internal/tool';
import type { PartialChoices } from '../agents/index.ts';
import { newTitle } from '../stored-sessions/index.ts';
import { usageError, withFiles, withUploads } from '../terminal/index.ts';
import type { WireCommand, WireReply } from '../web-wire/index.ts';
import type { OpenSessions } from './open-sessions.ts';
import { commandIn } from './page-commands.ts';
import { gone, refused } from './requests.ts';
import type { WebSession } from './web-session.ts';

/** What a reply says beside `ok`. */
type Result = Pick<Extract<WireReply, { ok: true }>, 'session' | 'value'>;

type Handler<TYPE extends WireCommand['type']> = (
  session: WebSession,
  command: Extract<WireCommand, { type: TYPE }>,
  sessions: OpenSessions,
) => Promise<Result | undefined>;

type Handlers = { readonly [TYPE in WireCommand['type']]: Handler<TYPE> };

/**
 * What each command does. What takes long is begun, and seen in the state. A message is kept before its reply, so that it
 * outlives the process.
 */
const HANDLERS: Handlers = {
  say: async (session, { id, text, files = [], when }, sessions) => {
    const { opened, place } = session;
    const { conversation } = opened;
    const command = files.length === 0 ? commandIn(text, id) : undefined;
    if (command) return dispatch(session, command, sessions);
    const mentioned = await withFiles(text, place.folder);
    const uploads = files.map(({ name, data }) => ({ name, bytes: Buffer.from(data, 'base64') }));
    const whole = withUploads(mentioned.text, uploads);
    const [problem] = [...mentioned.problems, ...whole.problems];
    if (problem !== undefined) throw refused('not-attached', problem, 'The message was not sent.');
    const all = [...mentioned.files, ...whole.files];
    if (whole.text.trim() === '' && all.length === 0)
      throw refused('empty', 'The message is empty.', 'Write something.');
    await conversation.say(whole.text, {
      ...{ id, typed: text, files: all.length > 0 ? all : undefined },
      when: when === 'after' ? when : undefined,
    });
  },
  'take-back': async ({ opened }, { id }) => {
    if (opened.conversation.unqueue(id).length > 0) return;
    throw gone('This message waits no more.', 'The turn that runs has it.');
  },
  answer: async ({ questions }, { question, answer }) => {
    questions.answer(question, answer);
  },
  cancel: async ({ opened }) => {
    void opened.conversation.cancel();
  },
  continue: async (session, { id }) => {
    const { conversation } = session.opened;
    session.once(id, () => {
      conversation.checkIdle();
      session.background(conversation.resume());
    });
  },
  compact: async (session, { id }) => {
    const { conversation } = session.opened;
    if (!conversation.session) throw nothingSaid();
    session.once(id, () => {
      conversation.checkIdle();
      session.background(conversation.compact());
    });
  },
  tools: async ({ opened }, { on }) => {
    opened.conversation.setTools(on);
  },
  server: async (session, { name, on }) => {
    checkServer(session, name);
    if (on) session.off.delete(name);
    else session.off.add(name);
    await useServers(session);
  },
  restart: async (session, { name }) => {
    checkServer(session, name);
    if (session.off.has(name)) throw refused('server-off', `${name} is off.`, 'Turn it on first.');
    await useServers(session, name);
    await useServers(session);
    session.background(session.opened.pool.connection(name)?.start());
  },
  login: async (session, { name }) => {
    checkServer(session, name);
    const { logins } = session.opened;
    session.background(logins?.logIn(name, session.host.context.signal));
  },
  choose: async ({ opened }, { type: _, ...choice }) => {
    const { role, strategy } = choice;
    const { set, conversation } = opened;
    if (role) checkOneOf('role', role, Object.keys(set.roles));
    if (strategy !== undefined) checkOneOf('strategy', strategy, strategyNames);
    await conversation.choose(choice as PartialChoices);
  },
  quick: async (session, { id, text, withConversation }) => {
    session.once(id, () => session.askQuick({ id, question: text, withConversation }));
  },
  'cancel-quick': async ({ quick }, { id }) => {
    const question = quick.get(id);
    if (question?.state !== 'running')
      throw gone('This question is not asked any more.', 'It has its answer.');
    question.stop.abort();
  },
  rename: async ({ opened }, { title: words }, sessions) => {
    const { session } = opened.conversation;
    const { title } = newTitle(words);
    if (!session) throw nothingSaid();
    if (title === undefined) throw usageError('The title is empty.', 'Give it a few words.');
    await session.store.rename(session.id, title);
    await sessions.look();
  },
  fork: async (session, { id, before }, sessions) => ({
    session: await session.once(id, () => forkBefore(session, before, sessions)),
  }),
  'stop-subagent': async ({ opened }, { child }) => {
    if (await opened.conversation.cancelSubagent(child)) return;
    throw gone('This subagent does not run any more.', 'It has ended.');
  },
  preview: async ({ insight }, { change }) => ({ value: await insight.preview(change) }),
  prune: async (session, { id, change, base }) => {
    session.once(id, () => session.insight.prune(change, base));
    session.changed();
  },
  undo: async (session, { id }) => {
    session.once(id, () => session.insight.undo());
    session.changed();
  },
  reopen: async ({ id, opened, off }, _, sessions) => {
    opened.conversation.checkIdle();
    const again = await sessions.reopen(id);
    if (off.size === 0) return;
    for (const name of off) again.off.add(name);
    await useServers(again);
  },
};

/** Does what the page asks of a session. Rejects with a `Refusal` and with the errors of the conversation. */
export async function runCommand(
  session: WebSession,
  command: WireCommand,
  sessions: OpenSessions,
): Promise<WireReply> {
  return { ok: true, ...(await dispatch(session, command, sessions)) };
}

function dispatch(
  session: WebSession,
  command: WireCommand,
  sessions: OpenSessions,
): Promise<Result | undefined> {
  const handler = HANDLERS[command.type] as Handler<WireCommand['type']>;
  return handler(session, command as never, sessions);
}

/** Forks a session before the message of a turn, or at its end. Resolves with the id of the fork. */
async function forkBefore(
  { opened, place }: WebSession,
  before: number | undefined,
  sessions: OpenSessions,
): Promise<string> {
  const { session, view } = opened.conversation;
  if (!session) throw nothingSaid();
  const { store, id } = session;
  const source = await openSession(store, id);
  if (before === undefined) {
    opened.conversation.checkIdle();
    return (await forkSession(source)).id;
  }
  const turn = view.turns[before];
  const begin = source.entries.find(
    ({ kind, body }) => kind === 'turn' && body.number === turn?.number,
  );
  if (!turn || !begin) throw gone('This turn is not there.', 'Load the page again.');
  const at = source.entries.findLast(({ seq }) => seq < begin.seq)?.seq;
  // Nothing was said before the first turn.
  if (at === undefined) return (await sessions.create(place.folder)).id;
  return (await forkSession(source, at)).id;
}

/** The pool takes the servers that are on, but for one that is left out. Their calls end first. */
async function useServers({ opened, off }: WebSession, left?: string): Promise<void> {
  const { pool, set } = opened;
  if (!set.config) return;
  const { settings } = set.config;
  const servers = [...set.config.servers].filter(([name]) => !off.has(name) && name !== left);
  await pool.update({ settings, servers: new Map(servers) });
}

function checkServer({ opened }: WebSession, name: string): void {
  if (!opened.set.config?.servers.has(name))
    throw gone(`There is no server "${name}".`, 'Load the page again.');
}

function nothingSaid(): Error {
  return refused('nothing-said', 'This session has no messages yet.', 'Write one.');
}

function checkOneOf(what: string, given: string, all: readonly string[]): void {
  if (all.includes(given)) return;
  throw new ToolfoldError(
    'invalid-option',
    `There is no ${what} "${given}".`,
    `Use one of: ${all.join(', ')}.`,
  );
}
