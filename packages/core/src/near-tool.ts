import { type Addressed, matchesGlob, mostSimilar } from './values/index.ts';

/** The known tool or group that is most similar to a glob that matches none, as a glob of the same form. */
export function nearestTool(
  glob: string,
  tools: readonly Addressed[],
  groups: readonly string[],
): string | undefined {
  const slash = glob.lastIndexOf('/');
  if (slash < 0) return mostSimilar(glob, [...tools.map(({ name }) => name), ...groups]);
  const [group, tool] = [glob.slice(0, slash), glob.slice(slash + 1)];
  const known = groups.includes(group) ? group : mostSimilar(group, groups);
  if (known === undefined) return;
  const bare = tools.filter(({ groupId }) => groupId === known).map((one) => one.bare);
  if (bare.length === 0 || bare.some((name) => matchesGlob(tool, name))) return `${known}/${tool}`;
  return `${known}/${mostSimilar(tool, bare) ?? '*'}`;
}
