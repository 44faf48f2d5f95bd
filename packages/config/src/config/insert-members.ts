import { createScanner, type Node } from 'jsonc-parser';

/** How a text is written: its unit of indentation and its line ends. */
export interface TextFormat {
  readonly unit: string;
  readonly eol: string;
}

/** The indentation and the line ends that a text has. By default two spaces and `\n`. */
export function formatOf(text: string): TextFormat {
  const unit = /^(\t+| +)\S/m.exec(text)?.[1] ?? '  ';
  return { unit, eol: text.includes('\r\n') ? '\r\n' : '\n' };
}

/**
 * Inserts members behind the last one of an object in a text. All other text stays: comments, and
 * the way in which the other members are written. `object` is a node of this text, and the names
 * must be new.
 */
export function insertMembers(
  text: string,
  object: Node,
  members: Iterable<readonly [name: string, value: unknown]>,
): string {
  const { unit, eol } = formatOf(text);
  const end = object.offset + object.length - 1;
  const last = object.children?.at(-1);
  const outer = indentAt(text, object.offset).indent;
  const own = last && indentAt(text, last.offset);
  const inner = own?.isFirst ? own.indent : outer + unit;
  const lines = [...members].map(([name, value]) => {
    const json = JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${inner}`);
    return `${inner}${JSON.stringify(name)}: ${json}`;
  });
  if (lines.length === 0) return text;
  // Behind the comments that follow the last member.
  const before = text.slice(0, end).trimEnd();
  const comma = last === undefined ? undefined : last.offset + last.length;
  const head =
    comma === undefined || hasComma(text, comma, end)
      ? before
      : `${before.slice(0, comma)},${before.slice(comma)}`;
  const gap = text.slice(before.length, end);
  const tail = gap.includes('\n') ? gap : `${eol}${outer}`;
  return `${head}${eol}${lines.join(`,${eol}`)}${tail}${text.slice(end)}`;
}

/** The indentation of the line, and whether nothing else stands before the offset in it. */
function indentAt(text: string, offset: number): { indent: string; isFirst: boolean } {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  const indent = /^[\t ]*/.exec(line)?.[0] ?? '';
  return { indent, isFirst: indent === line };
}

/** Whether a comma stands between the offsets, outside comments. */
function hasComma(text: string, from: number, to: number): boolean {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  scanner.scan();
  return scanner.getTokenOffset() < to;
}
