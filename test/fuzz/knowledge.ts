import type { Random } from './random.ts';
import type { GroupSpec } from './tool-specs.ts';

/** What a process knows of a group. To add a way, add a row to `WAYS` and a line to `groupOf`. */
export type Way = 'whole' | 'missing' | 'nameless' | 'failing' | 'fewer' | 'other';

/** What a process knows of all groups; those it does not name are whole. */
export type Knowledge = Readonly<Record<string, Way>>;

const WAYS: readonly { readonly way: Way; readonly weight: number }[] = [
  { way: 'whole', weight: 6 },
  { way: 'missing', weight: 2 },
  { way: 'nameless', weight: 2 },
  { way: 'failing', weight: 2 },
  { way: 'fewer', weight: 2 },
  { way: 'other', weight: 2 },
];

/** Some other state of affairs; one group at least stays whole, so that there is a list at all. */
export function otherKnowledge(random: Random, groups: readonly GroupSpec[]): Knowledge {
  const [first, ...others] = random.shuffled(groups.map(({ groupId }) => groupId));
  const rest = others.map((groupId) => [groupId, random.weighted(WAYS).way] as const);
  return Object.fromEntries([[first, 'whole'], ...rest]);
}

/** The tools of a group that can run under this knowledge; a loader that fails may have worked before. */
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
