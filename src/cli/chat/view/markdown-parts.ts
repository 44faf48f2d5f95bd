/** A part of a Markdown text that can be rendered on its own. */
export interface MarkdownPart {
  readonly text: string;
  /** It begins, or ends, in the middle of a block of code. The border there is not part of the text. */
  readonly opensInCode: boolean;
  readonly endsInCode: boolean;
}

/** Parts of a text that grows, and where its last one begins. */
export interface MarkdownParts {
  /** Parts that later text does not change. */
  readonly done: readonly MarkdownPart[];
  readonly last: MarkdownPart;
  /** The place in the text where the last part begins. */
  readonly at: number;
  /** The line that opened the block of code in which the last part begins. */
  readonly fence: string | undefined;
}

/** Lines after which a part ends where it can, although its block goes on. */
const LONG = 100;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** A line that can not continue a list, a quote or a table. */
const FRESH = /^[^\s\-*+>|\d]/;

export const NO_PARTS: MarkdownParts = {
  done: [],
  last: { text: '', opensInCode: false, endsInCode: false },
  at: 0,
  fence: undefined,
};

/**
 * Goes on splitting a text that has grown: only its last part is read again. Parts end at blank lines,
 * and in long blocks of code at any line.
 */
export function splitMarkdown(text: string, before: MarkdownParts = NO_PARTS): MarkdownParts {
  const done = [...before.done];
  let { at, fence } = before;
  let open = fence;
  let lines = 0;
  let start = at;
  const finish = (end: number): void => {
    done.push(partOf(text.slice(at, end), fence, open));
    at = end;
    fence = open;
    lines = 0;
  };
  let isAfterBlank = false;
  while (start < text.length) {
    const newline = text.indexOf('\n', start);
    // A line that has not ended may still become another kind of line.
    if (newline < 0) break;
    const line = text.slice(start, newline);
    if (open === undefined && isAfterBlank && start > at && FRESH.test(line)) finish(start);
    else if (open !== undefined && lines >= LONG && !closes(line, open)) finish(start);
    if (open === undefined) open = FENCE.test(line) ? line : undefined;
    else if (closes(line, open)) open = undefined;
    isAfterBlank = open === undefined && line.trim() === '';
    lines += 1;
    start = newline + 1;
  }
  return { done, last: partOf(text.slice(at), fence, undefined), at, fence };
}

function partOf(text: string, before: string | undefined, after: string | undefined): MarkdownPart {
  const whole = before === undefined ? text : `${before}\n${text}`;
  return { text: whole, opensInCode: before !== undefined, endsInCode: after !== undefined };
}

function closes(line: string, fence: string): boolean {
  const mark = FENCE.exec(fence)?.[1] ?? '```';
  const closing = FENCE.exec(line)?.[1];
  return (
    closing !== undefined &&
    closing[0] === mark[0] &&
    closing.length >= mark.length &&
    line.trim() === closing
  );
}
