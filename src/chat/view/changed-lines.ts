import { createRequire } from 'node:module';
import { formatCount } from '../../app/terminal/index.ts';
import { type FileChange, MOST_SHOWN } from './changes.ts';
import { cleanLine } from './clean.ts';
import { type Drawing, safeText, wrapped } from './drawing.ts';

/** Most characters of a path. */
const MAX_PATH = 300;
/** Lines around a change, and milliseconds after which two texts count as wholly different. */
const OPTIONS = { context: 2, timeout: 50 };

// The first change loads the library: it takes some milliseconds, and most chats need none.
const require = createRequire(import.meta.url);

/** The path that a call changes, and the lines that go and come. */
export function changedLines(
  { path, parts }: FileChange,
  drawing: Pick<Drawing, 'theme' | 'hide' | 'width'>,
): string[] {
  const { theme, hide, width } = drawing;
  const marked = parts.map((part) => markedLines(part, drawing));
  const all = marked.flatMap((lines, at) => (at === 0 ? lines : ['⋯', ...lines]));
  const count = (sign: string) => all.filter((line) => line.startsWith(sign)).length;
  const whole = parts[0] && parts[0].before === undefined ? ', the whole file' : '';
  const sums = `${theme.good(`+${count('+')}`)} ${theme.bad(`-${count('-')}`)}${theme.dim(whole)}`;
  const head = `${cleanLine(hide(path), MAX_PATH)} ${sums}`;
  const drawn = all.flatMap((line) => {
    const paint = line.startsWith('+') ? theme.good : line.startsWith('-') ? theme.bad : theme.dim;
    const [sign, text] = [line.slice(0, 1), line.slice(1)];
    return wrapped(text, Math.max(1, width - 2)).map((part) => paint(`${sign} ${part}`));
  });
  return [...wrapped(head, width), ...drawn];
}

/** The lines around a change and in it. Those that go and come begin with their sign. */
function markedLines(
  { before = '', after }: FileChange['parts'][number],
  { hide }: Pick<Drawing, 'hide'>,
): string[] {
  const { structuredPatch }: typeof import('diff') = require('diff');
  // A last line without its end would differ from the same line with it.
  const [old = '', now = ''] = [before, after].map((text) =>
    safeText(text.slice(0, MOST_SHOWN), MOST_SHOWN, { hide }).replace(/(?<=[^\n])$/, '\n'),
  );
  const patch = structuredPatch('', '', old, now, '', '', OPTIONS);
  if (!patch) return [`… ${formatCount(after.split('\n').length, 'line')}, too many to compare`];
  const hunks = patch.hunks.map(({ lines }) => lines.filter((line) => !line.startsWith('\\')));
  return hunks.flatMap((lines, at) => (at === 0 ? lines : ['⋯', ...lines]));
}
