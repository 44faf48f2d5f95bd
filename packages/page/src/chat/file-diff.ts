import { parsePatch, structuredPatch } from 'diff';
import { type FileChange, MOST_SHOWN } from 'toolfold/internal/words';

/** A line of a change. Its number is that in the old file where it goes, else that in the new one; 0 if unknown. */
export interface DiffLine {
  readonly mark: '+' | '-' | ' ' | '⋯';
  readonly text: string;
  readonly number: number;
}

interface Hunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly string[];
}

/** Lines around a change, and milliseconds after which two texts count as wholly different. */
const OPTIONS = { context: 2, timeout: 50 };

/** The lines that go and come, as the tool itself has returned them where it has. */
export function linesOf({ parts, isWhole, made }: FileChange): readonly DiffLine[] {
  const hunks =
    (made === undefined ? undefined : hunksIn(made)) ??
    parts.flatMap((part) => hunksBetween(part, isWhole));
  return hunks.flatMap((hunk, at) => [
    ...(at === 0 ? [] : [{ mark: '⋯' as const, text: '', number: 0 }]),
    ...numbered(hunk),
  ]);
}

function numbered({ oldStart, newStart, lines }: Hunk): DiffLine[] {
  let [old, now] = [oldStart, newStart];
  return lines.flatMap((line) => {
    const mark = line.charAt(0);
    if (mark !== '+' && mark !== '-' && mark !== ' ') return [];
    const number = newStart === 0 ? 0 : mark === '-' ? old : now;
    if (mark !== '+') old += 1;
    if (mark !== '-') now += 1;
    return [{ mark, text: line.slice(1), number }];
  });
}

function hunksIn(patch: string): readonly Hunk[] | undefined {
  if (patch.length > MOST_SHOWN) return;
  try {
    const [file, ...others] = parsePatch(patch);
    return file && file.hunks.length > 0 && others.length === 0 ? file.hunks : undefined;
  } catch {
    return undefined;
  }
}

function hunksBetween(
  { before = '', after }: FileChange['parts'][number],
  isWhole: boolean,
): readonly Hunk[] {
  // A last line without its end would differ from the same line with it.
  const [old = '', now = ''] = [before, after].map((text) =>
    text.slice(0, MOST_SHOWN).replace(/(?<=[^\n])$/, '\n'),
  );
  const hunks = structuredPatch('', '', old, now, '', '', OPTIONS)?.hunks;
  if (!hunks) return [{ oldStart: 0, newStart: 0, lines: [' too many lines to compare'] }];
  return isWhole ? hunks : hunks.map((hunk) => ({ ...hunk, newStart: 0 }));
}
