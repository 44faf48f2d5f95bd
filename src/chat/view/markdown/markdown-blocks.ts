/** The mark of a line that opens a block of code. Backticks behind backticks are code in a line. */
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;

/** The mark with which this line opens a block of code, such as three backticks. Undefined if it does not. */
export function fenceOf(line: string): string | undefined {
  return FENCE.exec(line)?.[1];
}

/** Whether this line closes the block of code that the line `fence` has opened. */
export function closesFence(line: string, fence: string): boolean {
  const mark = fenceOf(fence) ?? '```';
  const closing = fenceOf(line);
  return (
    closing !== undefined &&
    closing[0] === mark[0] &&
    closing.length >= mark.length &&
    line.trim() === closing
  );
}

/** Whether the line stands between the head of a table and its rows. */
export function isDelimiterRow(line: string): boolean {
  return /^[\s|:-]+$/.test(line) && line.includes('-') && line.includes('|');
}
