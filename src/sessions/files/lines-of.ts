/** The lines of a text that comes in chunks, without their ends. Only `\n` ends a line. */
export async function* linesOf(
  chunks: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string, void> {
  // Joined at the end of a line only: a line may have many chunks.
  let parts: string[] = [];
  for await (const chunk of chunks) {
    const [first = '', ...others] = chunk.split('\n');
    parts.push(first);
    for (const other of others) {
      yield parts.join('');
      parts = [other];
    }
  }
  const last = parts.join('');
  if (last !== '') yield last;
}
