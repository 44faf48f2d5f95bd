import { hostname } from 'node:os';
import { thoughtsIn } from '@toolfold/agent/internal/entries';
import type { Entry, SessionRecord, SessionStore } from '@toolfold/agent/internal/sessions';
import { formatCount, formatNumber } from '@toolfold/core/internal/values';
import { stripControls } from '@toolfold/mcp/internal/redact.ts';
import { Command } from 'commander';
import { Keys } from '../models/index.ts';
import { beginning, shownText } from '../shown/index.ts';
import {
  CALL_STATES,
  findSession,
  readTranscript,
  type SessionState,
  sessionState,
  shortId,
  stateText,
  type Transcript,
  type TranscriptApproval,
  type TranscriptCallItem,
  type TranscriptItem,
  type TranscriptUsage,
  withStore,
} from '../stored-sessions/index.ts';
import {
  type CommandContext,
  callLine,
  json as jsonText,
  money,
  oneLine,
  type Terminal,
} from '../terminal/index.ts';

const afterHelp = `
The beginning of an id is enough if no other id begins with it.

Examples:
  toolfold sessions show 3f2a
  toolfold sessions show 3f2a --json`;

/** `toolfold sessions show`. */
export function showCommand({ terminal }: CommandContext): Command {
  return new Command('show')
    .summary('show what was said and done in a session')
    .description('Shows a session: words, calls, results, approvals, and what it waits for.')
    .argument('<session>', 'the id of the session, or its beginning')
    .option('--json', 'print one JSON object')
    .addHelpText('after', afterHelp)
    .action((id: string, { json }: { json?: true }) =>
      withStore(terminal, async (store) => {
        const session = await findSession(store, id);
        const entries = await store.read(session.id);
        const shown = await shownSession(store, session, entries);
        const { storedWayBack } = await import('../agents/index.ts');
        const command = storedWayBack('run --session', { id: session.id, entries });
        // What a user or a model wrote is kept as it was. Keys that are known here are not shown.
        const { hide } = new Keys(process.env);
        terminal.out(
          hide(
            json
              ? jsonText(shown, 2)
              : showText(shown, { command, style: terminal.style, host: hostname() }),
          ),
        );
      }),
    );
}

/** The output of `toolfold sessions show --json`. */
interface ShownSession extends Transcript {
  readonly session: SessionRecord;
  readonly state: SessionState;
  /** Ids of the sessions of its subagents, and of its forks. */
  readonly children: readonly string[];
  readonly forks: readonly string[];
}

async function shownSession(
  store: SessionStore,
  session: SessionRecord,
  entries: readonly Entry[],
): Promise<ShownSession> {
  const transcript = readTranscript(entries);
  const state = sessionState(transcript, await store.holder(session.id));
  const children = await store.list({ parent: session.id });
  const forks = (await store.list()).filter(({ forkOf }) => forkOf === session.id);
  return {
    ...{ session, state, ...transcript },
    children: children.toReversed().map(({ id }) => id),
    forks: forks.map(({ id }) => id),
  };
}

/** Most characters of a result, and of lines about calls. */
const MAX_RESULT = 2_000;
const MAX_LINE = 300;
/** Of a command, which is of no use if it is cut. */
const MAX_COMMAND = 4_000;

type Style = Terminal['style'];

interface ShowOptions {
  /** The command that goes on with the session. */
  readonly command: string;
  readonly style: Style;
  /** That of this process. */
  readonly host: string;
}

/** A session for a terminal. */
function showText(shown: ShownSession, { command, style, host }: ShowOptions): string {
  const { items, open } = shown;
  const blocks = [
    headLines(shown, style, host),
    ...items.map((item) => itemLines(item, style)),
    ...(open.length === 0 ? [] : [openLines(shown, command, style)]),
    usageLines(shown.usage),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function headLines({ session, state, children, forks }: ShownSession, style: Style, host: string) {
  const { id, title, folder, createdAt, changedAt, parent, forkOf } = session;
  const row = (name: string, text: string | undefined): string[] =>
    text === undefined ? [] : [`${`${name}:`.padEnd(11)}${oneLine(text, MAX_LINE)}`];
  const others = (ids: readonly string[]) =>
    ids.length === 0 ? undefined : ids.map(shortId).join(', ');
  return [
    style('bold', oneLine(title ?? `Session ${shortId(id)}`, MAX_LINE)),
    ...row('Session', id),
    ...row('Folder', folder),
    ...row('Begun', new Date(createdAt).toISOString()),
    ...row('Changed', new Date(changedAt).toISOString()),
    ...row('State', stateText(state, host)),
    ...row('Parent', parent),
    ...row('Fork of', forkOf),
    ...row('Subagents', others(children)),
    ...row('Forks', others(forks)),
  ];
}

function itemLines(item: TranscriptItem, style: Style): readonly string[] {
  const dim = (text: string) => [style('dim', oneLine(text, MAX_LINE))];
  switch (item.type) {
    case 'turn': {
      const how = item.how === 'send' ? '' : ` (${item.how})`;
      return dim(`Turn ${formatNumber(item.number)}${how}, ${new Date(item.at).toISOString()}`);
    }
    case 'user':
      return textLines(item.text).map((line) => `${style('cyan', '>')} ${line}`);
    case 'answer':
      return textLines(thoughtsIn(item.text).text);
    case 'call':
      return callLines(item, style);
    case 'note':
      return [style('yellow', item.title), ...indented(beginning(item.text ?? '', MAX_RESULT))];
    case 'end': {
      const error = item.error === undefined ? '' : `: ${item.error}`;
      return dim(`End: ${item.reason}${error}`);
    }
  }
}

function callLines(call: TranscriptCallItem, style: Style): readonly string[] {
  const { name, approvals, state, error, choice } = call;
  const isFailed = state === 'failed';
  return [
    `${style('bold', 'Call')} ${callLine(name, call.arguments, MAX_LINE)}`,
    ...approvals.map((approval) => `  ${approvalText(approval)}`),
    ...(choice === undefined ? [] : [`  Its outcome was unknown: ${oneLine(choice, MAX_LINE)}.`]),
    ...(state === 'done' ? indented(shownText(call.output, MAX_RESULT)) : []),
    ...(error === undefined
      ? []
      : [`  ${style('red', 'Failed:')}`, ...indented(beginning(error, MAX_RESULT))]),
    ...(isFailed || CALL_STATES[state] === '' ? [] : [`  ${style('yellow', CALL_STATES[state])}`]),
  ];
}

function approvalText({ reason, answer }: TranscriptApproval): string {
  const why = reason === undefined ? '' : ` (${oneLine(reason, MAX_LINE)})`;
  if (!answer) return `Approval asked${why}.`;
  const said = answer.approved ? 'approved' : 'denied';
  const more = [answer.scope, answer.reason].filter((text) => text !== undefined);
  return `Approval asked${why}: ${said}${more.length === 0 ? '' : `, ${oneLine(more.join(', '), MAX_LINE)}`}.`;
}

/** The calls that the session waits for, and what to do. */
function openLines({ open }: ShownSession, command: string, style: Style): readonly string[] {
  const line = ({ name, arguments: given, state }: TranscriptCallItem) =>
    `  ${state === 'waiting' ? 'approval' : 'unknown'}  ${callLine(name, given, MAX_LINE)}`;
  return [
    style('bold', `Open: ${formatCount(open.length, 'call')}`),
    ...open.map(line),
    `To answer: ${oneLine(command, MAX_COMMAND)}`,
  ];
}

function usageLines({ requests, input, cacheRead, output, cost }: TranscriptUsage): string[] {
  if (requests === 0) return [];
  const price = cost === undefined ? '' : `; cost: ${money(cost)}`;
  return [
    `${formatCount(requests, 'request')}: ${formatNumber(input)} tokens sent, ${formatNumber(cacheRead)} of them read from the cache; ${formatNumber(output)} received${price}.`,
  ];
}

function indented(text: string): readonly string[] {
  return text === '' ? [] : textLines(text).map((line) => `  ${line}`);
}

/** The lines of a text of others, without terminal escapes. */
function textLines(text: string): readonly string[] {
  return stripControls(text).trimEnd().split('\n');
}
