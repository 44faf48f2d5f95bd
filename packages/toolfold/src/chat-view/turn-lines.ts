import { COMPACTED, thoughtsIn } from '@toolfold/agent/internal/entries';
import type {
  EndReason,
  ScreenBlock,
  ScreenNotice,
  ScreenText,
  ScreenTurn,
} from '@toolfold/agent/internal/events';
import { formatCount, formatNumber } from '@toolfold/core/internal/values';
import { END_WORDS, failureLines, wordsOf } from '../shown/index.ts';
import { share } from '../terminal/index.ts';
import { callLines } from './call-lines.ts';
import {
  type Drawing,
  joined,
  type Lines,
  markIn,
  oneLine,
  safeLine,
  safeText,
  wrapped,
} from './drawing.ts';

/** Most characters of a text, of a message of the user, and of a notice. */
const MAX_TEXT = 2_000_000;
const MAX_NOTICE = 500;
/** Lines of a message of the user and of reasoning that are shown while they are folded. */
const FOLDED_USER = 12;
const FOLDED_REASONING = 3;

/** What a user can do after a turn that ended so. */
const NEXT: Readonly<Partial<Record<EndReason, string>>> = {
  cancelled: '/continue goes on',
  length: 'Ask for the rest',
};

const BLANK: Lines = { text: [''] };

/** The lines of a turn. `place` is unique to it, and `isLast` if it may still grow. */
export function turnLines(
  turn: ScreenTurn,
  drawing: Drawing,
  place: string,
  isLast: boolean,
): Lines {
  const parts: Lines[] = [];
  if (turn.user !== undefined) parts.push(userLines(turn.user, drawing, place), BLANK);
  let before: 'line' | 'text' | undefined;
  const add = (kind: 'line' | 'text', lines: Lines): void => {
    if (lines.text.length === 0) return;
    if (before && !(before === 'line' && kind === 'line')) parts.push(BLANK);
    parts.push(lines);
    before = kind;
  };
  turn.blocks.forEach((block, at) => {
    addNotices(at);
    withThoughts(statusShown(block, turn, drawing, isLast)).forEach((part) => {
      add(part.kind === 'call' ? 'line' : 'text', blockLines(part, drawing, `${place}/${at}`));
    });
  });
  addNotices(turn.blocks.length);
  function addNotices(at: number): void {
    const here = turn.notices.filter(({ place }) => Math.min(place, turn.blocks.length) === at);
    const isCompacted = here.some(({ type }) => type === 'compaction');
    // The line of the compaction says already why the conversation is sent anew.
    for (const notice of here)
      if (!(isCompacted && notice.type === 'prefix-broken' && notice.cause === COMPACTED))
        add('line', noticeLines(notice, drawing));
  }
  const { theme } = drawing;
  for (const { name, text } of turn.writing ?? []) {
    const words = safeLine(`${name ?? 'a call'} ${text.slice(-200)}`, MAX_NOTICE, drawing);
    parts.push({ text: [oneLine(theme.dim(`… writes ${words}`), drawing)] });
  }
  if (before) parts.push(BLANK);
  const { activity } = drawing;
  const isWorking = isLast && activity !== undefined;
  const end = isWorking ? workLines(activity, drawing, place) : endLines(turn, drawing);
  if (end.text.length > 0) parts.push(end);
  if (!isLast && parts.at(-1) !== BLANK) parts.push(BLANK);
  return joined(parts);
}

/** What happens now, and since when. It stands where the turn will say what it has used. */
export function workLines(activity: string, drawing: Drawing, place: string): Lines {
  const { theme, clock } = drawing;
  const { frame, seconds } = clock(`turn:${place}`);
  const time = seconds === 0 ? '' : ` · ${formatNumber(seconds)} s`;
  return { text: [oneLine(`${theme.accent(frame)} ${theme.dim(`${activity}${time}`)}`, drawing)] };
}

/** In a turn that has stopped nothing runs and nobody is asked. An interrupted call runs only if the user says so. */
function statusShown(
  block: ScreenBlock,
  { end }: ScreenTurn,
  { activity, unknownCall }: Drawing,
  isLast: boolean,
): ScreenBlock {
  if (block.kind !== 'call') return block;
  const { status } = block;
  const isRunning = activity !== undefined;
  const goesOn = isLast && isRunning;
  if (status === 'asked' && end && end.reason !== 'approval' && !goesOn)
    return { ...block, status: 'waiting' };
  const isInterrupted = !isRunning || block.id === unknownCall;
  if (status === 'running' && !end && isInterrupted) return { ...block, status: 'unknown' };
  return block;
}

/** The block, or its thoughts and its answer. */
function withThoughts(block: ScreenBlock): readonly ScreenBlock[] {
  if (block.kind !== 'text') return [block];
  const { step } = block;
  const { reasoning, text } = thoughtsIn(block.text, true);
  const parts: ScreenText[] = [
    { kind: 'reasoning', step, text: reasoning },
    { kind: 'text', step, text },
  ];
  return parts.filter((part) => part.text.trim() !== '');
}

/** The line of a notice, where it happened. Nothing if there is nothing to say. */
function noticeLines(notice: ScreenNotice, drawing: Drawing): Lines {
  const { theme, tokensOf } = drawing;
  const words = wordsOf(notice);
  if (words === undefined) return { text: [] };
  const isLoad = notice.type === 'load' || notice.type === 'preload';
  const tokens = isLoad ? tokensOf?.(notice) : undefined;
  const size = tokens === undefined ? '' : ` (${formatCount(tokens, 'token')})`;
  const text = `${notice.type === 'warning' ? 'Warning: ' : ''}${words}${size}`;
  const line = theme.dim(safeLine(text, MAX_NOTICE, drawing));
  return { text: [oneLine(`${isLoad ? theme.good('●') : theme.dim('·')} ${line}`, drawing)] };
}

function blockLines(block: ScreenBlock, drawing: Drawing, place: string): Lines {
  if (block.kind === 'call')
    return callLines(block, drawing, (turns, below, id) =>
      turns.map((turn, at) => turnLines(turn, below, `${place}/${id}/${at}`, false)),
    );
  if (block.kind === 'reasoning') return reasoningLines(block, drawing, place);
  const text = block.text.slice(0, MAX_TEXT);
  return { text: drawing.markdown(place).lines(text, drawing.width) };
}

function reasoningLines({ text }: ScreenText, drawing: Drawing, place: string): Lines {
  const lines = wrapped(safeText(text, MAX_TEXT, drawing).trim(), drawing.width);
  const id = `reasoning:${place}`;
  const shown = drawing.isOpen(id) ? lines : lines.slice(-FOLDED_REASONING);
  const { dim } = drawing.theme;
  const skipped = lines.length - shown.length;
  const head =
    skipped > 0
      ? [dim(oneLine(`… ${formatCount(skipped, 'line')} of thought before`, drawing))]
      : [];
  return { text: [...head, ...shown.map(dim)], toggles: new Map([[0, id]]) };
}

/** What the user said: long messages are folded. */
export function userLines(text: string, drawing: Drawing, place: string): Lines {
  const { theme } = drawing;
  const id = `user:${place}`;
  const mark = markIn(drawing, '❯ ');
  const lines = wrapped(safeText(text, MAX_TEXT, drawing), drawing.width - mark.length);
  const isLong = lines.length > FOLDED_USER;
  const shown = isLong && !drawing.isOpen(id) ? lines.slice(0, FOLDED_USER) : lines;
  const rest = lines.length - shown.length;
  const more =
    rest > 0 ? [theme.dim(oneLine(`  … ${formatCount(rest, 'line')} more`, drawing))] : [];
  const drawn = shown.map(
    (line, at) => `${at === 0 ? theme.accent(mark) : ' '.repeat(mark.length)}${theme.bold(line)}`,
  );
  return { text: [...drawn, ...more], ...(isLong ? { toggles: new Map([[0, id]]) } : {}) };
}

/** How a turn ended, and what it used. */
function endLines({ end, usage, blocks }: ScreenTurn, drawing: Drawing): Lines {
  if (!end) return { text: [] };
  const { theme } = drawing;
  const text: string[] = [];
  if (end.reason === 'error') {
    const draw = (line: string) => wrapped(safeText(line, MAX_NOTICE * 4, drawing), drawing.width);
    const [what = '', ...next] = failureLines(end, 'chat');
    text.push(...draw(what).map(theme.bad), ...next.flatMap(draw));
  } else {
    const isEmpty = end.reason === 'done' && blocks.length === 0;
    const words = isEmpty ? 'The answer is empty.' : END_WORDS[end.reason];
    const next = isEmpty ? 'Ask again, or choose another model: /model' : NEXT[end.reason];
    if (words !== undefined) {
      const line = next === undefined ? words : `${words} ${next}.`;
      text.push(...wrapped(line, drawing.width).map(theme.warn));
    }
  }
  if (usage.requests > 0) {
    const { input, cacheRead, output } = usage;
    const cached = input === 0 ? '' : `, ${share(cacheRead / input)} from the cache`;
    const words = `${formatCount(usage.requests, 'request')} · ${formatNumber(input)} tokens sent${cached} · ${formatNumber(output)} received`;
    text.push(oneLine(theme.dim(words), drawing));
  }
  return { text };
}
