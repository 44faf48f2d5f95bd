/** What a tool of the pairs has in common with tools that are only measured with. */
interface Named {
  readonly server?: string;
  readonly name: string;
}

/** A tool of the pairs, with where it is written. */
export interface Pair extends Named {
  readonly place: string;
  readonly queries?: readonly string[];
}

/**
 * The tools of the pairs that are also among the tools that training must not see: with the same name,
 * and a server that is the same or part of the other. And those with a query that is asked in a test.
 */
export function overlaps(
  pairs: readonly Pair[],
  unseen: readonly Named[],
  asked: Iterable<string>,
): string[] {
  const byName = Map.groupBy(unseen, ({ name }) => plain(name));
  const questions = new Set(Array.from(asked, plain));
  return pairs.flatMap(({ place, server = '', name, queries = [] }) => {
    const same = byName
      .get(plain(name))
      ?.find((tool) => areNear(plain(server), plain(tool.server)));
    const query = queries.find((one) => questions.has(plain(one)));
    return [
      ...(same ? [`${place}: ${server}/${name} is also a tool of ${same.server}.`] : []),
      ...(query === undefined ? [] : [`${place}: "${query}" is also a test query.`]),
    ];
  });
}

function areNear(one: string, other: string): boolean {
  return (
    one === other || (one !== '' && other !== '' && (one.includes(other) || other.includes(one)))
  );
}

function plain(text = ''): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
