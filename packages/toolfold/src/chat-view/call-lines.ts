import type {
  CallStatus,
  ScreenCall,
  ScreenChild,
  ScreenTurn,
} from '@toolfold/agent/internal/events';
import { formatCount, formatNumber, ownProperty } from '@toolfold/core/internal/values';
import {
  progressWords,
  refusalWords,
  repairWords,
  shownArguments,
  shownText,
} from '../shown/index.ts';
import { notDrawn } from './changes.ts';
import {
  type Drawing,
  indented,
  joined,
  type Lines,
  markIn,
  narrowedBy,
  oneLine,
  safeLine,
  safeText,
  wrapped,
} from './drawing.ts';
import type { Theme } from './theme.ts';

/** Lines of a result that is not open, and of one that is. */
const FOLDED = 3;
const FOLDED_CHANGE = 12;
const OPEN = 400;
/** Most characters of a name, of the arguments in one line, and of a result. */
const MAX_NAME = 80;
const MAX_ARGUMENTS = 2_000;
const MAX_RESULT = 20_000;
/** Columns in front of what belongs to a call. */
const INDENT = '  ';

/** Draws the turns of a subagent. */
type DrawTurns = (
  turns: readonly ScreenTurn[],
  drawing: Drawing,
  place: string,
) => readonly Lines[];

const MARKS: Readonly<
  Record<CallStatus, readonly [string, keyof Theme & ('dim' | 'good' | 'bad' | 'warn' | 'accent')]>
> = {
  waiting: ['○', 'dim'],
  asked: ['?', 'warn'],
  running: ['◐', 'accent'],
  done: ['●', 'good'],
  failed: ['✗', 'bad'],
  denied: ['⊘', 'bad'],
  unknown: ['‼', 'warn'],
  withdrawn: ['~', 'dim'],
};

const WORDS: Readonly<Partial<Record<CallStatus, string>>> = {
  waiting: 'not run',
  asked: 'needs your approval',
  running: 'runs',
  denied: 'denied',
  unknown: 'interrupted, its outcome is unknown',
  withdrawn: 'withdrawn with its answer',
};

/** A card: name, arguments and state in one line, and below it what the call came to. */
export function callLines(call: ScreenCall, drawing: Drawing, drawTurns: DrawTurns): Lines {
  const { theme } = drawing;
  const [still, colour] = MARKS[hasFailed(call) ? 'failed' : call.status];
  const time = call.status === 'running' ? drawing.clock(`call:${call.id}`) : undefined;
  const name = safeLine(call.name, MAX_NAME, drawing);
  const indent = markIn(drawing, INDENT);
  const change =
    call.raw === undefined ? drawing.changed?.(call, narrowedBy(drawing, indent).width) : undefined;
  const all = call.arguments === undefined ? '' : shownArguments(call.arguments);
  const isDrawn = change !== undefined && call.status !== 'asked';
  const given = call.raw ?? (isDrawn ? shownArguments(notDrawn(call.arguments)) : all);
  const words = safeLine(given, MAX_ARGUMENTS, drawing);
  const since = time && time.seconds > 0 ? [`${formatNumber(time.seconds)} s`] : [];
  const said = [...factsOf(call), ...since, ...(words === '' ? [] : [words])].join(' · ');
  const head = `${theme[colour](time?.frame ?? still)} ${theme.bold(name)}${said === '' ? '' : ` ${theme.dim(said)}`}`;
  const isOpen = drawing.isOpen(call.id);
  const below = narrowedBy(drawing, indent);
  const parts = [
    ...(isOpen && words.length > 0 ? [argumentLines(call, below)] : []),
    // While the user is asked, the question shows it, and the line says what other calls ask for.
    ...(isDrawn ? [changeLines(change, below, isOpen)] : []),
    ...liveLines(call, below),
    ...call.children.map((child) => childLines(child, below, drawTurns)),
    // A change that was made says all that its result says.
    ...(change && call.status === 'done' && !hasFailed(call) && !isOpen
      ? []
      : [resultLines(call, below, isOpen)]),
  ];
  return joined([
    { text: [oneLine(head, drawing)], toggles: new Map([[0, call.id]]) },
    ...parts.map((lines) => indented(lines, indent)),
  ]);
}

/** Whether it failed. A tool of MCP says so with its result. */
function hasFailed({ status, output }: ScreenCall): boolean {
  return status === 'failed' || (status === 'done' && ownProperty(output, 'isError') === true);
}

/** How the schema came, how long the call took, what it waits for. */
function factsOf({ schema, duration, status, approval, repairs }: ScreenCall): string[] {
  const { decision } = approval ?? {};
  const isApproved = decision?.approved && decision.source === 'user';
  const isNext = isApproved && status === 'waiting';
  const scope = isApproved && !isNext ? ['approved'] : [];
  const time = duration === undefined ? [] : [durationText(duration)];
  const word = isNext ? 'approved, not run yet' : WORDS[status];
  const repaired = repairs ? ['arguments repaired'] : [];
  const facts = [...(word === undefined ? [] : [word]), ...(schema ? [schema] : [])];
  return [...facts, ...repaired, ...scope, ...time];
}

/** Such as `35 ms`, `1.2 s`. */
function durationText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** The first lines, or all if they are open, and how many more there are. */
function folded(lines: readonly string[], most: number, isOpen: boolean, drawing: Drawing) {
  const shown = lines.slice(0, isOpen ? OPEN : most);
  const rest = formatCount(lines.length - shown.length, 'line');
  const more = isOpen ? 'the whole is in the session' : 'Ctrl-O opens';
  const note = drawing.theme.dim(oneLine(`… ${rest} more (${more})`, drawing));
  return { shown, note: lines.length > shown.length ? [note] : [] };
}

/** What the call changes. */
function changeLines(change: readonly string[], drawing: Drawing, isOpen: boolean): Lines {
  const { shown, note } = folded(change, FOLDED_CHANGE, isOpen, drawing);
  return { text: [...shown, ...note] };
}

function argumentLines({ arguments: given, raw, repairs }: ScreenCall, drawing: Drawing): Lines {
  const repaired = repairs ? `\n${repairWords(repairs)}` : '';
  const text = safeText(`${raw ?? shownText(given)}${repaired}`, MAX_RESULT, drawing);
  return { text: wrapped(text, drawing.width).slice(0, OPEN).map(drawing.theme.dim) };
}

function liveLines({ live, status }: ScreenCall, drawing: Drawing): Lines[] {
  if (!live || status === 'unknown') return [];
  const { progress, log, elicitations = [] } = live;
  const lines: string[] = [];
  if (progress) lines.push(progressWords(progress));
  if (log) lines.push(`${log.level}: ${log.text}`);
  for (const { server } of elicitations) lines.push(`${server} asks you`);
  const draw = (line: string) =>
    oneLine(drawing.theme.dim(safeLine(line, MAX_ARGUMENTS, drawing)), drawing);
  return lines.length === 0 ? [] : [{ text: lines.map(draw) }];
}

/** The result or the error: its first lines, or all if it is open. */
function resultLines(call: ScreenCall, drawing: Drawing, isOpen: boolean): Lines {
  const { theme } = drawing;
  // Why it was denied says more than that it was.
  const denial = call.status === 'denied' ? call.approval?.decision?.reason : undefined;
  const error = denial ?? call.error;
  const whole = error ?? (call.output === undefined ? '' : shownText(call.output));
  const given = isOpen ? whole : refusalWords(whole);
  if (given === '') return { text: [] };
  const text = safeText(given, MAX_RESULT, drawing).trim();
  const style = error === undefined && !hasFailed(call) ? theme.dim : theme.bad;
  const [mark, indent] = [markIn(drawing, '└ '), markIn(drawing, INDENT)];
  const lines = wrapped(text, drawing.width - mark.length);
  const { shown, note } = folded(lines, FOLDED, isOpen, narrowedBy(drawing, indent));
  if (isOpen && note.length === 0 && given.length > text.length) note.push(theme.dim('…'));
  return {
    text: [...shown.map(style), ...note].map(
      (line, at) => `${at === 0 ? theme.dim(mark) : indent}${line}`,
    ),
  };
}

/** A subagent: one line, and its turns if it is open. */
function childLines(child: ScreenChild, drawing: Drawing, drawTurns: DrawTurns): Lines {
  const { theme } = drawing;
  const id = `child:${child.child}`;
  const isOpen = drawing.isOpen(id);
  const { status, error, spent } = child;
  const colour = status === 'done' ? theme.good : status === 'running' ? theme.accent : theme.bad;
  const cost =
    spent && spent.requests > 0
      ? ` · ${formatCount(spent.requests, 'request')}, ${formatNumber(spent.input + spent.output)} tokens`
      : '';
  const why = error === undefined ? '' : `: ${safeLine(error, MAX_ARGUMENTS, drawing)}`;
  const head = `${isOpen ? '▾' : '▸'} ${theme.bold(safeLine(child.task, MAX_NAME, drawing))} ${colour(status.replaceAll('_', ' '))}${theme.dim(cost)}${why}`;
  const indent = markIn(drawing, INDENT);
  const turns = isOpen ? drawTurns(child.turns, narrowedBy(drawing, indent), id) : [];
  return joined([
    { text: [oneLine(head, drawing)], toggles: new Map([[0, id]]) },
    ...turns.map((lines) => indented(lines, indent)),
  ]);
}
