import { createRequire } from 'node:module';
import { formatCount, isRecord } from '@toolfold/core/internal/values';
import { type FileChange, MOST_SHOWN } from '../shown/index.ts';
import { cleanLine, cleanText, type Drawing, safeText, wrapped } from './drawing.ts';

/** Fields that the drawing of a change shows. */
const SHOWN = new Set(['path', 'edits', 'content', 'oldText', 'newText']);

/** Whether a drawing of the change shows all that the arguments hold: no other field and no invisible character. */
export function isShownWhole(given: unknown): boolean {
  if (typeof given === 'string')
    return (
      given.length <= MOST_SHOWN && cleanText(given, MOST_SHOWN) === given.replaceAll('\t', '    ')
    );
  if (Array.isArray(given)) return given.every(isShownWhole);
  if (!isRecord(given)) return false;
  return Object.entries(given).every(([name, value]) => SHOWN.has(name) && isShownWhole(value));
}

/** The arguments that no drawing of the change shows, such as the one that an edit is only tried. */
export function notDrawn(given: unknown): unknown {
  return isRecord(given)
    ? Object.fromEntries(Object.entries(given).filter(([name]) => !SHOWN.has(name)))
    : given;
}

/** Most characters of a path. */
const MAX_PATH = 300;
/** Lines around a change, and milliseconds after which two texts count as wholly different. */
const OPTIONS = { context: 2, timeout: 50 };

// The first change loads the library: it takes some milliseconds, and most chats need none.
const require = createRequire(import.meta.url);

/** The path that a call changes, and the lines that go and come, with their numbers where these are known. */
export function changedLines(
  { path, parts, isWhole, made }: FileChange,
  drawing: Pick<Drawing, 'theme' | 'hide' | 'width'>,
): string[] {
  const { theme, hide, width } = drawing;
  const between = () => parts.flatMap((part) => hunksBetween(part, isWhole, drawing));
  const hunks = (made === undefined ? undefined : hunksOfPatch(made, drawing)) ?? between();
  const all = hunks.map(numbered).flatMap((lines, at) => (at === 0 ? lines : [GAP, ...lines]));
  const count = (sign: string) => all.filter(({ text }) => text.startsWith(sign)).length;
  const whole = parts[0] && parts[0].before === undefined ? ', the whole file' : '';
  const sums = `${theme.good(`+${count('+')}`)} ${theme.bad(`-${count('-')}`)}${theme.dim(whole)}`;
  const head = `${cleanLine(hide(path), MAX_PATH)} ${sums}`;
  const digits = all.reduce((most, { number }) => Math.max(most, number.length), 0);
  const gutter = digits === 0 ? 0 : digits + 1;
  const drawn = all.flatMap(({ text, number }) => {
    const paint = text.startsWith('+') ? theme.good : text.startsWith('-') ? theme.bad : theme.dim;
    const [sign, words] = [text.slice(0, 1), text.slice(1)];
    return wrapped(words, Math.max(1, width - 2 - gutter)).map((part, at) => {
      const shown =
        gutter === 0 ? '' : theme.dim((at === 0 ? number : '').padStart(digits).padEnd(gutter));
      return shown + paint(`${sign} ${part}`);
    });
  });
  return [...wrapped(head, width), ...drawn];
}

/** Lines of a change, from these numbers on, or with none from 0 on. Those that go and come begin with their sign. */
interface Hunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly string[];
}

interface NumberedLine {
  readonly text: string;
  readonly number: string;
}

const GAP: NumberedLine = { text: '⋯', number: '' };

/** A line that goes has its number in the old file, each other one that in the new one. */
function numbered({ oldStart, newStart, lines }: Hunk): NumberedLine[] {
  let [old, now] = [oldStart, newStart];
  return lines.flatMap((text) => {
    if (text.startsWith('\\')) return [];
    const number = newStart === 0 ? '' : String(text.startsWith('-') ? old : now);
    if (!text.startsWith('+')) old++;
    if (!text.startsWith('-')) now++;
    return [{ text, number }];
  });
}

/** Undefined if the text is no whole diff of one file. */
function hunksOfPatch(patch: string, { hide }: Pick<Drawing, 'hide'>): readonly Hunk[] | undefined {
  const { parsePatch }: typeof import('diff') = require('diff');
  if (patch.length > MOST_SHOWN) return;
  try {
    const [file, ...others] = parsePatch(safeText(patch, MOST_SHOWN, { hide }));
    return file && file.hunks.length > 0 && others.length === 0 ? file.hunks : undefined;
  } catch {
    return undefined;
  }
}

function hunksBetween(
  { before = '', after }: FileChange['parts'][number],
  isWhole: boolean,
  { hide }: Pick<Drawing, 'hide'>,
): readonly Hunk[] {
  const { structuredPatch }: typeof import('diff') = require('diff');
  // A last line without its end would differ from the same line with it.
  const [old = '', now = ''] = [before, after].map((text) =>
    safeText(text.slice(0, MOST_SHOWN), MOST_SHOWN, { hide }).replace(/(?<=[^\n])$/, '\n'),
  );
  const patch = structuredPatch('', '', old, now, '', '', OPTIONS);
  if (patch) return isWhole ? patch.hunks : patch.hunks.map((hunk) => ({ ...hunk, newStart: 0 }));
  const text = `… ${formatCount(after.split('\n').length, 'line')}, too many to compare`;
  return [{ oldStart: 0, newStart: 0, lines: [text] }];
}
