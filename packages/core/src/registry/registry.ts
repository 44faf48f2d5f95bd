import { ToolfoldError } from '../errors.ts';
import {
  canonicalName,
  type DeferredToolGroup,
  groupSlug,
  isLegalName,
  MAX_NAME,
  OWN_GROUP,
  plainName,
  shownName,
  type Tool,
  type ToolEntry,
  type ToolSummary,
  withHash,
} from '../tool/index.ts';
import { byCodePoint } from '../values/index.ts';

export interface GroupRecord {
  readonly group: DeferredToolGroup;
  readonly slug: string;
  /** Listed in the snapshot, sorted by name. */
  readonly listed: readonly ToolEntry[];
}

type NameLookup =
  | { readonly kind: 'found'; readonly entry: ToolEntry }
  | { readonly kind: 'ambiguous'; readonly entries: readonly ToolEntry[] }
  | { readonly kind: 'unknown' };

/** All names at one moment: the app's own tools and those of groups, each with one wire name. */
export class Registry {
  readonly appTools: ReadonlyMap<string, ToolEntry>;
  readonly groups: ReadonlyMap<string, GroupRecord>;
  readonly #reserved: ReadonlySet<string>;
  readonly #byName = new Map<string, ToolEntry>();
  readonly #byAlias = new Map<string, ToolEntry[]>();
  readonly #bySlug: ReadonlyMap<string, string>;

  /** Throws for duplicate groups, for clashes that cannot be resolved, and for reserved names. */
  constructor(
    tools: readonly Tool[],
    groups: readonly DeferredToolGroup[],
    reserved: ReadonlySet<string>,
  ) {
    this.#reserved = reserved;
    this.appTools = new Map(tools.map((tool) => [tool.name, this.#addOwn(tool)]));
    const slugs = slugsOf(groups);
    this.#bySlug = new Map([...slugs].map(([{ groupId }, slug]) => [slug, groupId]));
    // Groups without a prefix come last: a clash is their error, and they never take the name
    // of another tool.
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

  get(name: string): ToolEntry | undefined {
    return this.#byName.get(name);
  }

  get size(): number {
    return this.#byName.size;
  }

  /** The wire names of all tools. */
  names(): Iterable<string> {
    return this.#byName.keys();
  }

  /** In the order in which they became known. */
  entries(): Iterable<ToolEntry> {
    return this.#byName.values();
  }

  /**
   * Adds tools that a loader returned and the snapshot lacks. They are callable and not
   * catalogued. Their names always have the prefix: a name must not depend on which group
   * loaded first.
   */
  addLoaded(groupId: string, tools: readonly Tool[]): void {
    const record = this.groups.get(groupId);
    if (!record) return;
    for (const tool of tools) {
      if (!this.toolOfGroup(groupId, tool.name)) {
        this.#addGroupTool(record.group, record.slug, tool, false);
      }
    }
  }

  /** The tool that has this name in its group. */
  toolOfGroup(groupId: string, bare: string): ToolEntry | undefined {
    const aliased = this.#byAlias.get(bare);
    return aliased?.find((entry) => entry.groupId === groupId && entry.bare === bare);
  }

  /** The group whose prefix the canonical name has; the longest prefix wins. */
  groupOf(name: string): string | undefined {
    if (name.length > MAX_NAME) return;
    for (let at = name.lastIndexOf('__'); at > 0; at = name.lastIndexOf('__', at - 1)) {
      const groupId = this.#bySlug.get(name.slice(0, at));
      if (groupId !== undefined) return groupId;
    }
    return;
  }

  /**
   * The first accepted tool that is shown under this name. A canonical name means its own tool
   * first.
   */
  findByShownName(name: string, allows: (entry: ToolEntry) => boolean): ToolEntry | undefined {
    const exact = this.#byName.get(name);
    if (exact && allows(exact)) return exact;
    return this.#byAlias.get(name)?.find((entry) => entry.shown === name && allows(entry));
  }

  /** Everything that is called or shown so, canonical names aside. */
  entriesByAlias(name: string): readonly ToolEntry[] {
    return this.#byAlias.get(name) ?? [];
  }

  /** The tool of one group by bare, shown or canonical name. */
  find(groupId: string, name: string): ToolEntry | undefined {
    const exact = this.#byName.get(name);
    if (exact?.groupId === groupId) return exact;
    return this.#byAlias.get(name)?.find((entry) => entry.groupId === groupId);
  }

  /** The tool that messages report as loaded, if it still exists. Without a group it has its canonical name. */
  findLoaded({
    groupId,
    name,
  }: {
    groupId: string | undefined;
    name: string;
  }): ToolEntry | undefined {
    if (groupId === OWN_GROUP) return this.appTools.get(name);
    return groupId === undefined ? this.#byName.get(name) : this.find(groupId, name);
  }

  /**
   * What a name means for a caller who may see what `allows` accepts. Canonical names come
   * first. A bare name counts only if it is unique, in whatever order groups load. What a model's format puts around a
   * name counts only if nothing has the name as it was written.
   */
  resolve(name: string, allows: (entry: ToolEntry) => boolean): NameLookup {
    const exact = this.#byName.get(name);
    if (exact && allows(exact)) return { kind: 'found', entry: exact };
    const slash = name.indexOf('/');
    const within = slash > 0 ? this.find(name.slice(0, slash), name.slice(slash + 1)) : undefined;
    const candidates = within ? [within] : (this.#byAlias.get(name) ?? []);
    const visible = candidates.filter(allows);
    const [first] = visible;
    if (!first) {
      const plain = plainName(name);
      return plain === name ? { kind: 'unknown' } : this.resolve(plain, allows);
    }
    return visible.length === 1
      ? { kind: 'found', entry: first }
      : { kind: 'ambiguous', entries: visible };
  }

  #addOwn(tool: Tool): ToolEntry {
    if (this.#reserved.has(tool.name)) {
      throw new ToolfoldError(
        'reserved-name',
        `The app's tool "${tool.name}" has the name of a bridge tool.`,
        'Rename the tool, or the bridge with the option `names`.',
      );
    }
    if (this.#byName.has(tool.name)) throw duplicate(tool.name, 'two tools of the app');
    const { name } = tool;
    return this.#add({ name, bare: name, shown: name, groupId: undefined, appTool: tool }, tool);
  }

  #addGroupTool(
    group: DeferredToolGroup,
    slug: string,
    summary: ToolSummary,
    isBare: boolean,
  ): ToolEntry {
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
    const { groupId } = group;
    return this.#add({ name, bare, shown, groupId, appTool: undefined }, summary);
  }

  /** Adds an entry with what its tool, or the list of its group, says of it. */
  #add(
    named: Pick<ToolEntry, 'name' | 'bare' | 'shown' | 'groupId' | 'appTool'>,
    { description, meta, exposure }: ToolSummary,
  ): ToolEntry {
    const entry: ToolEntry = { ...named, description, meta, exposure };
    this.#byName.set(entry.name, entry);
    this.#addAlias(entry.bare, entry);
    if (entry.shown !== entry.bare) this.#addAlias(entry.shown, entry);
    return entry;
  }

  #addAlias(name: string, entry: ToolEntry): void {
    const others = this.#byAlias.get(name);
    if (others) others.push(entry);
    else this.#byAlias.set(name, [entry]);
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
