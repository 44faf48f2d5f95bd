/** Removes control characters in another way than the code under test. */
export function cleaned(text: string): string {
  const isControl = (point: string) => point < ' ' || (point >= '\u007f' && point < '\u00a0');
  return Array.from(text.toWellFormed())
    .filter((point) => point === '\n' || point === '\t' || !isControl(point))
    .join('');
}
