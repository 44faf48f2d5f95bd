import { statSync } from 'node:fs';
import {
  NOTHING_SPENT,
  type ScreenChild,
  type ScreenTurn,
  withUsage,
} from '@toolfold/agent/internal/events';
import { pick } from '@toolfold/core/internal/values';
import type { QuickQuestion } from '../conversations/index.ts';
import { costText } from '../shown/index.ts';
import { sessionMarkdown } from '../stored-sessions/index.ts';
import {
  MOST_BARS,
  MOST_TURNS,
  WIRE_VERSION,
  type WireHome,
  type WireQuick,
  type WireServer,
  type WireSession,
  type WireState,
} from '../web-wire/index.ts';
import { completionsOf } from './page-commands.ts';
import { gone, refused } from './requests.ts';
import { valueAt } from './shown-turns.ts';
import type { WebSession } from './web-session.ts';

/** The state of a session without secrets. Turns that have not changed are the same objects. */
export function stateOf(session: WebSession, home: WireHome): WireState {
  const { opened, host, questions, shown, notes, insight } = session;
  const { conversation, set } = opened;
  const { quick } = conversation;
  const asking = [...session.quick.values()].map(({ stop: _, ...one }) => one);
  const { turns } = conversation.view;
  const earlier = Math.max(0, turns.length - MOST_TURNS);
  const { bars, light } = insight;
  const earlierBars = Math.max(0, bars.length - MOST_BARS);
  const small = {
    session: sessionOf(session, home),
    questions: questions.open,
    queue: conversation.messages,
    indicator: light,
    servers: serversOf(session),
    quick: [...quick.asked.map((one) => answered(one, set.settings.currency)), ...asking],
    notes,
  };
  return {
    version: WIRE_VERSION,
    ...host.keys.redacted(small),
    turns: shown.of(turns.slice(earlier), conversation.state !== 'idle'),
    ...{ earlier, bars: bars.slice(earlierBars), earlierBars, home },
  };
}

function answered(asked: QuickQuestion, currency: string | undefined): WireQuick {
  const { id, question, answer, conversation: withConversation, usage } = asked;
  const cost = costText(withUsage(NOTHING_SPENT, { type: 'usage', ...usage }), currency);
  return {
    ...{ id, question, withConversation, answer: answer ?? '', tokens: usage.input + usage.output },
    state: answer === undefined ? 'cancelled' : 'done',
    ...(cost !== undefined && { cost }),
  };
}

function sessionOf({ id, place, host, opened, readAt }: WebSession, home: WireHome): WireSession {
  const { conversation, settings, set } = opened;
  const { session, state, canCancel, sending, secondsToRetry, view } = conversation;
  const model = settings.modelOf();
  const known = [...Object.keys(set.models), ...set.directory.foundNames];
  const { role } = settings;
  const strategy = settings.strategy || undefined;
  const forkOf = session?.record.forkOf;
  const listed = home.sessions.find((one) => one.id === id);
  const title = listed?.title ?? session?.record.title ?? '';
  const optional = { sending, secondsToRetry, model, strategy, forkOf };
  return {
    ...{ id, title, folder: place.folder, state, canCancel, role },
    ...{ isStored: host.isKept && session !== undefined, isDemo: !host.isKept },
    canContinue: state === 'idle' && hasStopped(view.turns.at(-1)),
    ...pick(optional, 'sending', 'secondsToRetry', 'model', 'strategy', 'forkOf'),
    ...{
      models: [...new Set([...known, ...(model ? [model] : [])])],
      roles: Object.keys(set.roles),
      currency: set.settings.currency ?? 'USD',
    },
    wayBack: session && host.isKept ? opened.wayBack('chat -r') : '',
    isConfigChanged: [set.config?.file, set.settingsFile].some((file) => changedAt(file) > readAt),
  };
}

/** Whether a turn stopped in its middle. */
function hasStopped(turn: ScreenTurn | undefined): boolean {
  if (!turn) return false;
  return !turn.end || ['approval', 'cancelled', 'error'].includes(turn.end.reason);
}

/** When a file was changed, in milliseconds since 1970. */
function changedAt(file: string | undefined): number {
  return (file && statSync(file, { throwIfNoEntry: false })?.mtimeMs) || 0;
}

/** The servers of the configuration, also those that are switched off. */
function serversOf({ opened, off }: WebSession): readonly WireServer[] {
  const { pool, set } = opened;
  const running = new Map(pool.servers.map((server) => [server.name, server]));
  const names = new Set([...(set.config?.servers.keys() ?? []), ...running.keys()]);
  return [...names].flatMap((name): WireServer[] => {
    const server = running.get(name);
    if (server)
      return [{ ...pick(server, 'name', 'state', 'tools', 'reason', 'remedy'), isOn: true }];
    return off.has(name) ? [{ name, state: 'closed', tools: 0, isOn: false }] : [];
  });
}

/** Reads a part of a session for a `GET`: a text, or a value of JSON. */
type Read = (session: WebSession, query: (name: string) => string) => unknown;

/** What is fetched by address, by path. */
export const READS: Readonly<Record<string, Read>> = {
  '/turns': ({ opened, shown }, query) => {
    const { turns } = opened.conversation.view;
    return shown.of(beforeIn(turns, query('before'), MOST_TURNS), false);
  },
  '/bars': async ({ insight }, query) => beforeIn(await insight.read(), query('before'), MOST_BARS),
  '/prompt': ({ insight }, query) => insight.prompt(query('request'), query('subagent')),
  '/complete': (session, query) => completionsOf(session, query('text')),
  '/map': ({ insight }) => insight.map(),
  '/tool': ({ insight }, query) => insight.tool(query('name')),
  '/value': ({ opened, host }, query) => {
    const value = valueAt(opened.conversation.view.turns, query('address'), host.keys);
    if (value === undefined)
      throw gone('This value is not there any more.', 'Load the page again.');
    return value;
  },
  '/child': ({ opened, shown }, query) => {
    const child = childIn(opened.conversation.view.turns, query('child'));
    if (!child) throw gone('There is no such subagent.', 'Load the page again.');
    return shown.of(child.turns, opened.conversation.state !== 'idle');
  },
  '/export': ({ opened, host }) => {
    const { session } = opened.conversation;
    if (!session) throw refused('nothing-said', 'This session has no messages yet.', 'Write one.');
    return host.keys.hide(sessionMarkdown(session.record, session.entries));
  },
};

/** The last ones before a number. */
function beforeIn<T>(all: readonly T[], before: string, most: number): readonly T[] {
  if (!/^\d{1,9}$/.test(before))
    throw refused('invalid-address', '"before" is no number.', 'Load the page again.');
  const end = Math.min(Number(before), all.length);
  return all.slice(Math.max(0, end - most), end);
}

/** A subagent, or a subagent of one. */
function childIn(turns: readonly ScreenTurn[], name: string): ScreenChild | undefined {
  for (const { blocks } of turns)
    for (const block of blocks) {
      if (block.kind !== 'call') continue;
      for (const child of block.children) {
        const found = child.child === name ? child : childIn(child.turns, name);
        if (found) return found;
      }
    }
  return;
}
