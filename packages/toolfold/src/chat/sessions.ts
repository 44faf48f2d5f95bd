import { hostname } from 'node:os';
import {
  openSession,
  type SessionRecord,
  type SessionStore,
} from '@toolfold/agent/internal/sessions';
import { formatCount, ownProperty } from '@toolfold/core/internal/values';
import {
  exportToFile,
  findSession,
  foundSessions,
  type ListedSession,
  listedSession,
  newTitle,
  shortId,
  stateText,
} from '../stored-sessions/index.ts';
import { age, usageError } from '../terminal/index.ts';
import type { ChatCommand, CommandUi, MenuItem } from './command.ts';

/** Most sessions of a list. */
const MOST = 30;

/** `/sessions`: the sessions of this folder, or those with these words. */
export const sessions: ChatCommand = {
  name: 'sessions',
  hint: '[query]',
  summary: 'list the sessions of this folder, or search all of them',
  async run(ui, query) {
    const listed = await listOf(ui, query);
    const lines = listed.map((one) => {
      const excerpt = one.excerpt === undefined ? '' : `: ${one.excerpt}`;
      return `  ${shortId(one.id)}  ${one.title ?? ''}  (${detailsOf(one)})${excerpt}`;
    });
    if (lines.length > 0) ui.show(lines);
  },
};

/** `/resume`: goes on with another session. */
export const resume: ChatCommand = {
  name: 'resume',
  hint: '[id or query]',
  summary: 'go on with another session, or choose one',
  async run(ui, argument) {
    const { host, pick } = ui;
    if (argument !== '') return host.talk.open((await findSession(host.store, argument)).id);
    const items = (await listOf(ui, '')).map((one) => ({
      value: one.id,
      label: one.title ?? shortId(one.id),
      description: detailsOf(one),
    }));
    const id = await pick?.('Choose a session', items);
    if (id !== undefined) await host.talk.open(id);
  },
};

/** `/new`: begins a session. */
export const begin: ChatCommand = {
  name: 'new',
  summary: 'begin a new session',
  run: ({ host }) => host.talk.open(undefined),
};

/** `/tree`: this session, what it is a fork of, its forks and its subagents. */
export const tree: ChatCommand = {
  name: 'tree',
  summary: 'show forks and subagents, and go to one of them',
  async run({ host, show, pick }) {
    const { session } = host.talk;
    if (!session) return show(['This session has no messages yet.']);
    const all = await host.store.list({ limit: 1000 });
    const items = await branch(host.store, rootOf(session.record, all), all, 0, session.id);
    show(items.map(({ label, description }) => `${label}  ${description ?? ''}`));
    const id = items.length > 1 ? await pick?.('Go to', items) : undefined;
    if (id !== undefined && id !== session.id) await host.talk.open(id);
  },
};

function rootOf(record: SessionRecord, all: readonly SessionRecord[]): SessionRecord {
  const { forkOf, parent } = record;
  const above = all.find(({ id }) => id === (forkOf ?? parent));
  return above ? rootOf(above, all) : record;
}

async function branch(
  store: SessionStore,
  record: SessionRecord,
  all: readonly SessionRecord[],
  depth: number,
  here: string,
): Promise<MenuItem[]> {
  const listed = await listedSession(store, record);
  const forks = all.filter(({ forkOf }) => forkOf === record.id);
  const children = await store.list({ parent: record.id });
  const mark = record.id === here ? '▸' : ' ';
  const kind = record.parent === undefined ? '' : 'subagent ';
  const below = [...children.toReversed(), ...forks.toReversed()];
  const rest: MenuItem[] = [];
  for (const one of below) rest.push(...(await branch(store, one, all, depth + 1, here)));
  const title = listed.title ?? '';
  return [
    {
      value: record.id,
      label: `${mark} ${'  '.repeat(depth)}${shortId(record.id)} ${kind}${title}`.trimEnd(),
      description: detailsOf(listed),
    },
    ...rest,
  ];
}

/** `/fork`: a new session that begins like this one. */
export const fork: ChatCommand = {
  name: 'fork',
  hint: '[turn]',
  summary: 'go on in a copy, from its end or that of a turn',
  async run({ host, show }, argument) {
    const at = argument === '' ? undefined : endOfTurn(host.talk.session?.entries ?? [], argument);
    await host.talk.fork(at);
    show([`This is a fork: ${shortId(host.talk.session?.id ?? '')}. /tree shows both.`]);
  },
};

/** The number of the last entry of a turn. Throws `invalid-option` if there is no such turn. */
function endOfTurn(
  entries: readonly { readonly kind: string; readonly seq: number; readonly body: object }[],
  turn: string,
): number {
  const number = Number(turn);
  const turns = entries.filter(({ kind }) => kind === 'turn');
  const numbers = turns.map(({ body }) => Number(ownProperty(body, 'number')));
  if (!numbers.includes(number))
    throw usageError(
      `There is no turn "${turn}".`,
      `The session has ${formatCount(new Set(numbers).size, 'turn')}.`,
    );
  const next = turns[numbers.findIndex((one) => one > number)];
  return next ? next.seq - 1 : (entries.at(-1)?.seq ?? 0);
}

/** `/rename`: gives the session another title. */
export const rename: ChatCommand = {
  name: 'rename',
  hint: '<title>',
  summary: 'give the session another title',
  async run({ host, show }, argument) {
    const { session } = host.talk;
    const { title } = newTitle(argument);
    if (!session) return show(['This session has no messages yet.']);
    if (title === undefined) return show(['Give a title: /rename The mail server']);
    await host.store.rename(session.id, title);
    show([`The title is "${title}".`]);
  },
};

/** `/export`: writes the session to a file. */
export const exporting: ChatCommand = {
  name: 'export',
  hint: '[file]',
  summary: 'write the session to a new file (.md or .jsonl)',
  async run({ host, show }, argument) {
    const { session } = host.talk;
    if (!session) return show(['This session has no messages yet.']);
    const file = argument === '' ? `toolfold-${shortId(session.id)}.md` : argument;
    await exportToFile(await openSession(host.store, session.id), file, {
      format: file.endsWith('.jsonl') ? 'jsonl' : 'markdown',
    });
    show([`Wrote ${file}. It holds all that was said, with the secrets in it.`]);
  },
};

/** The sessions of this folder, or all with these words. If there is none, it is said. */
async function listOf({ host, show }: CommandUi, words: string): Promise<ListedSession[]> {
  const folder = words === '' ? process.cwd() : undefined;
  const listed = await foundSessions(host.store, { words, folder, limit: MOST });
  const none = `No session has the words "${words}".`;
  if (listed.length === 0)
    show([words === '' ? 'There are no sessions in this folder yet.' : none]);
  return listed;
}

function detailsOf({ changedAt, turns, state, forkOf }: ListedSession): string {
  const fork = forkOf === undefined ? '' : `, a fork of ${shortId(forkOf)}`;
  return `${age(Date.now() - changedAt)}, ${formatCount(turns, 'turn')}, ${stateText(state, hostname())}${fork}`;
}
