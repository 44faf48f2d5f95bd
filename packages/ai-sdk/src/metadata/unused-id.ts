/** The longest id that every provider takes (OpenAI: 40 characters in Chat Completions). */
const LONGEST = 40;

/** An id that is not used: `id`, or it with a number behind it. A call without an id gets a number too. */
export function unusedId(id: string, used: Pick<ReadonlySet<string>, 'has'>): string {
  if (id !== '' && !used.has(id)) return id;
  for (let n = id === '' ? 1 : 2; ; n++) {
    const end = `_${n}`;
    const unused = `${(id || 'call').slice(0, LONGEST - end.length)}${end}`;
    if (!used.has(unused)) return unused;
  }
}
