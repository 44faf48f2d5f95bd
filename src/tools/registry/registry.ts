import { ToolfoldError } from '../../errors.ts';
import {
  canonicalName,
  groupSlug,
  isLegalName,
  MAX_NAME,
  shownName,
  withHash,
} from '../names/index.ts';
import {
  type DeferredToolGroup,
  type Entry,
  OWN_GROUP,
  type Tool,
  type ToolSummary,
} from '../tool/index.ts';
import { byCodePoint } from '../values/index.ts';

export interface GroupRecord {
  readonly group: DeferredToolGroup;
  readonly slug: string;
  /** Listed in the snapshot, sorted by name. */
  readonly listed: readonly Entry[];
}

export type Resolution =
  | { readonly kind: 'found'; readonly entry: Entry }
  | { readonly kind: 'ambiguous'; readonly entries: readonly Entry[] }
  | { readonly kind: 'unknown' };

/** All names of one moment: the app's own tools and the groups', each under one wire name. */
export class Registry {
  readonly own: ReadonlyMap<string, Entry>;
  readonly groups: ReadonlyMap<string, GroupRecord>;
  readonly #reserved: ReadonlySet<string>;
  readonly #byName = new Map<string, Entry>();
  readonly #bySpoken = new Map<string, Entry[]>();
  readonly #bySlug: ReadonlyMap<string, string>;

  /** Throws on duplicate groups, on clashes nothing can tell apart, and on names that are taken. */
  constructor(
    tools: readonly Tool[],
    groups: readonly DeferredToolGroup[],
    reserved: ReadonlySet<string>,
  ) {
    this.#reserved = reserved;
    this.own = new Map(tools.map((tool) => [tool.name, this.#addOwn(tool)]));
    const slugs = slugsOf(groups);
    this.#bySlug = new Map([...slugs].map(([{ groupId }, slug]) => [slug, groupId]));
    // Groups without a prefix come last: they clash with the others, never take their names.
    const byPrefix = [true, false].flatMap((prefixed) =>
      [...slugs].filter(([group]) => (group.prefix !== false) === prefixed),
    );
    const listed = new Map(
      byPrefix.map(([group, slug]) => {
        const isBare = group.prefix === false;
        return [group, summariesOf(group).map((s) => this.#addGroupTool(group, slug, s, isBare))];
      }),
    );
    this.groups = new Map(
      [...slugs].map(([group, slug]) => [
        group.groupId,
        { group, slug, listed: listed.get(group) ?? [] },
      ]),
    );
  }

  get(name: string): Entry | undefined {
    return this.#byName.get(name);
  }

  get size(): number {
    return this.#byName.size;
  }

  /** In the order in which they became known. */
  entries(): Iterable<Entry> {
    return this.#byName.values();
  }

  /**
   * Adds tools that a loader returned and the snapshot lacks: callable, though not catalogued. Their
   * names always have the prefix: a name must not depend on which group happened to load first.
   */
  reveal(groupId: string, tools: readonly Tool[]): void {
    const record = this.groups.get(groupId);
    if (!record) return;
    for (const tool of tools) {
      if (!this.owned(groupId, tool.name)) {
        this.#addGroupTool(record.group, record.slug, tool, false);
      }
    }
  }

  /** The tool that its group itself calls by this name. */
  owned(groupId: string, bare: string): Entry | undefined {
    const spoken = this.#bySpoken.get(bare);
    return spoken?.find((entry) => entry.groupId === groupId && entry.bare === bare);
  }

  /** The group whose prefix a canonical name has, the longest one where several fit. */
  groupOf(name: string): string | undefined {
    if (name.length > MAX_NAME) return;
    for (let at = name.lastIndexOf('__'); at > 0; at = name.lastIndexOf('__', at - 1)) {
      const groupId = this.#bySlug.get(name.slice(0, at));
      if (groupId !== undefined) return groupId;
    }
    return;
  }

  /** The first tool shown under this name that is let through; a canonical name means its own first. */
  shownAs(name: string, allows: (entry: Entry) => boolean): Entry | undefined {
    const exact = this.#byName.get(name);
    if (exact && allows(exact)) return exact;
    return this.#bySpoken.get(name)?.find((entry) => entry.shown === name && allows(entry));
  }

  /** Everything that is called or shown so, canonical names aside. */
  spoken(name: string): readonly Entry[] {
    return this.#bySpoken.get(name) ?? [];
  }

  /** The tool of one group by bare, shown or canonical name. */
  find(groupId: string, name: string): Entry | undefined {
    const exact = this.#byName.get(name);
    if (exact?.groupId === groupId) return exact;
    return this.#bySpoken.get(name)?.find((entry) => entry.groupId === groupId);
  }

  /**
   * What a name means to somebody who may see what `allows` lets through. Canonical names come
   * first; a bare name counts only if it is the only one, in whatever order groups load.
   */
  resolve(name: string, allows: (entry: Entry) => boolean): Resolution {
    const exact = this.#byName.get(name);
    if (exact && allows(exact)) return { kind: 'found', entry: exact };
    const slash = name.indexOf('/');
    const within = slash > 0 ? this.find(name.slice(0, slash), name.slice(slash + 1)) : undefined;
    const candidates = within ? [within] : (this.#bySpoken.get(name) ?? []);
    const visible = candidates.filter(allows);
    const [first] = visible;
    if (!first) return { kind: 'unknown' };
    return visible.length === 1
      ? { kind: 'found', entry: first }
      : { kind: 'ambiguous', entries: visible };
  }

  #addOwn(tool: Tool): Entry {
    if (this.#reserved.has(tool.name)) {
      throw new ToolfoldError(
        'reserved-name',
        `The app's tool "${tool.name}" has the name of a bridge tool.`,
        'Rename the tool, or the bridge with the option `names`.',
      );
    }
    if (this.#byName.has(tool.name)) throw duplicate(tool.name, 'two tools of the app');
    const { name, description, meta, exposure } = tool;
    const alike = { name, bare: name, shown: name };
    return this.#add({ ...alike, groupId: undefined, description, meta, exposure, own: tool });
  }

  #addGroupTool(
    group: DeferredToolGroup,
    slug: string,
    summary: ToolSummary,
    isBare: boolean,
  ): Entry {
    const bare = summary.name;
    const prefixed = canonicalName(slug, bare);
    let name = isBare && isLegalName(bare) ? bare : prefixed;
    if (this.#reserved.has(name) || this.#byName.has(name)) {
      if (name === bare && isBare) {
        throw duplicate(name, `a tool of "${group.groupId}", which has no prefix, and another`);
      }
      name = withHash(prefixed, `${group.groupId}\0${bare}`);
      for (let n = 2; this.#byName.has(name); n++) {
        name = withHash(prefixed, `${group.groupId}\0${bare}\0${n}`);
      }
    }
    const shown = shownName(slug, bare, name);
    const { description, meta, exposure } = summary;
    const { groupId } = group;
    return this.#add({ name, bare, shown, groupId, description, meta, exposure, own: undefined });
  }

  #add(entry: Entry): Entry {
    this.#byName.set(entry.name, entry);
    this.#addSpoken(entry.bare, entry);
    if (entry.shown !== entry.bare) this.#addSpoken(entry.shown, entry);
    return entry;
  }

  #addSpoken(name: string, entry: Entry): void {
    const others = this.#bySpoken.get(name);
    if (others) others.push(entry);
    else this.#bySpoken.set(name, [entry]);
  }
}

/** Groups by code point, each with a slug of its own. */
function slugsOf(groups: readonly DeferredToolGroup[]): Map<DeferredToolGroup, string> {
  const slugs = new Map<DeferredToolGroup, string>();
  const ids = new Set<string>();
  const taken = new Set<string>();
  for (const group of [...groups].sort((a, b) => byCodePoint(a.groupId, b.groupId))) {
    const { groupId } = group;
    if (ids.has(groupId)) {
      throw new ToolfoldError(
        'duplicate-group',
        `Two groups are called "${groupId}".`,
        'Give each group an id of its own.',
      );
    }
    if (groupId === OWN_GROUP) {
      throw new ToolfoldError(
        'reserved-name',
        `A group is called "${OWN_GROUP}", as the app's own tools are in catalogs and states.`,
        'Give the group another id.',
      );
    }
    const natural = groupSlug(groupId);
    const slug = taken.has(natural) ? groupSlug(`${groupId} `) : natural;
    ids.add(groupId);
    taken.add(slug);
    slugs.set(group, slug);
  }
  return slugs;
}

function summariesOf(group: DeferredToolGroup): ToolSummary[] {
  const known = new Map((group.toolSummaries ?? []).map((summary) => [summary.name, summary]));
  const names = group.toolNames ?? [...known.keys()];
  return [...new Set(names)].sort(byCodePoint).map((name) => known.get(name) ?? { name });
}

function duplicate(name: string, who: string): ToolfoldError {
  return new ToolfoldError(
    'duplicate-tool',
    `The name "${name}" is taken twice: ${who}.`,
    'Rename one of them, or let the group keep its prefix.',
  );
}
