import type { Random } from './random.ts';
import type { GroupSpec } from './tool-specs.ts';

/** What a process knows about a group. To add one, add a row to `WAYS` and handle it in `World.#group`. */
export type Way = 'whole' | 'missing' | 'nameless' | 'failing' | 'fewer' | 'other';

/** What a process knows about all groups. Groups without an entry are `whole`. */
export type Knowledge = Readonly<Record<string, Way>>;

const WAYS: readonly { readonly way: Way; readonly weight: number }[] = [
  { way: 'whole', weight: 6 },
  { way: 'missing', weight: 2 },
  { way: 'nameless', weight: 2 },
  { way: 'failing', weight: 2 },
  { way: 'fewer', weight: 2 },
  { way: 'other', weight: 2 },
];

/** A random knowledge. At least one group stays `whole`, so that there is a list of tools. */
export function otherKnowledge(random: Random, groups: readonly GroupSpec[]): Knowledge {
  const [first, ...others] = random.shuffled(groups.map(({ groupId }) => groupId));
  const rest = others.map((groupId) => [groupId, random.weighted(WAYS).way] as const);
  return Object.fromEntries([[first, 'whole'], ...rest]);
}

/** The tools of a group that can run with this knowledge. A failing loader may have worked earlier. */
export function runnable({ groupId, tools }: GroupSpec, knowledge: Knowledge): GroupSpec['tools'] {
  switch (knowledge[groupId] ?? 'whole') {
    case 'missing':
      return [];
    case 'fewer':
      return tools.slice(1);
    default:
      return tools;
  }
}
