import type { Addressed } from '../tools/glob.ts';

/** A tool as globs see it, by its canonical name; `groupId` is its prefix where no more is known. */
export function addressOf(name: string, groupId?: string): Addressed {
  const at = name.indexOf('__');
  if (at < 0) return { name, bare: name, groupId };
  const slug = name.slice(0, at);
  return { name, bare: name.slice(at + 2), groupId: groupId ?? `mcp:${slug}` };
}
