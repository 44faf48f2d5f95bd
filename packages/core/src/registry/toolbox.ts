import { errorMessage } from '../errors.ts';
import { parametersOf, toDefinition } from '../schema/index.ts';
import type { ToolDocument, ToolSearch } from '../search/index.ts';
import {
  canonicalName,
  checkGroups,
  type DeferredToolGroup,
  definitionFingerprint,
  type Exposure,
  fingerprint,
  sharedDefinition,
  type Tool,
  type ToolDefinition,
  type ToolEntry,
  toolProblem,
} from '../tool/index.ts';
import { mayMatchIn, onDemand } from '../values/index.ts';
import type { Find } from './finder.ts';
import { type LoaderCache, Loads } from './loads.ts';
import { type GroupRecord, Registry } from './registry.ts';
import {
  type ExposureRules,
  type Placement,
  placementOf,
  type RuleList,
  ruleList,
  type View,
  VisibilityCache,
} from './view.ts';

/** A tool that a run may execute, with all that is known of it. */
export interface ResolvedTool {
  /** The canonical name. */
  readonly name: string;
  readonly bare: string;
  readonly groupId: string | undefined;
  readonly tool: Tool;
}

interface ToolboxOptions {
  readonly tools: readonly Tool[];
  readonly groups: readonly DeferredToolGroup[];
  readonly reserved: ReadonlySet<string>;
  readonly rules: ExposureRules;
  /** A function loads it when somebody searches. The built-in one if left out, which is loaded then, too. */
  readonly search?: ToolSearch | (() => Promise<ToolSearch>) | undefined;
  readonly loaderCache: LoaderCache;
  readonly warn: (text: string) => void;
}

/** Parameters that a search may look into. */
const MAX_PARAMETERS = 200;

/** The tools of a layer as they are now: names, loaded tools, and the search index over both. */
export class Toolbox {
  /** The names as they are now. Only the toolbox replaces it. */
  registry: Registry;
  /** Grows whenever names or loaded tools change. */
  version = 0;
  /** What the search compares; undefined until somebody has searched. */
  compares: string | undefined;
  /** Grows whenever the names that groups list change. */
  listVersion = 0;
  readonly #options: ToolboxOptions;
  readonly #rules: RuleList;
  readonly #visibility: VisibilityCache = new VisibilityCache(
    (view, entry) => view.allows(entry) && this.placement(entry).exposure !== 'hidden',
    () => this.version,
  );
  /** What is known before loading does not change for an entry. */
  #listed = new WeakMap<ToolEntry, Placement>();
  readonly #loads: Loads;
  readonly #finder: (signal?: AbortSignal) => Find | Promise<Find>;
  readonly #tools = new Map<string, Tool>();
  readonly #definitions = new WeakMap<Tool, ToolDefinition>();
  readonly #warnedOf = new WeakMap<ToolDefinition, Set<string>>();
  /** Names whose search document is outdated. They are indexed by the next search. */
  readonly #unindexed = new Set<string>();

  constructor(options: ToolboxOptions) {
    this.#options = options;
    this.#rules = ruleList(options.rules);
    this.#finder = onDemand(async () => {
      const { createFinder } = await import('./finder.ts');
      return createFinder(this, options.search);
    });
    this.registry = new Registry(options.tools, options.groups, options.reserved);
    this.#loads = new Loads((group, tools) => {
      // A loader may return the same objects with another content.
      for (const tool of tools) this.#definitions.delete(tool);
      this.#integrate(group, tools);
    });
    for (const group of options.groups) {
      const tools = options.loaderCache.get(group.groupId);
      if (tools) this.#loads.restore(group, tools);
    }
    for (const entry of this.registry.entries()) {
      this.#unindexed.add(entry.name);
      // An own tool with a schema that cannot be converted is an error of the host, reported
      // at once.
      if (entry.appTool) this.definitionOf(entry, entry.appTool);
    }
  }

  /** Replaces the groups. Unchanged groups stay loaded. Throws the errors of the constructor. */
  update(groups: readonly DeferredToolGroup[]): void {
    checkGroups(groups);
    const before = this.registry;
    const after = new Registry(this.#options.tools, groups, this.#options.reserved);
    this.registry = after;
    this.version++;
    this.listVersion++;
    this.#listed = new WeakMap();
    for (const record of before.groups.values()) {
      const now = after.groups.get(record.group.groupId);
      if (now && sameVersion(record, now)) {
        const kept = this.#loads.peek(now.group);
        if (kept) this.#integrate(now.group, kept);
      } else {
        this.#loads.forget(record.group.groupId);
      }
    }
    for (const entry of before.entries()) {
      if (!after.get(entry.name)) this.#tools.delete(entry.name);
    }
    for (const entry of after.entries()) {
      const group = this.#groupOf(entry);
      if (group && !this.#loads.peek(group)) this.#tools.delete(entry.name);
      this.#unindexed.add(entry.name);
    }
    this.version++;
  }

  /** Forgets what a group's loader returned, so that it runs again when next needed. */
  refresh(groupId: string): void {
    this.#loads.forget(groupId);
    for (const entry of this.registry.entries()) {
      if (entry.groupId === groupId) this.#tools.delete(entry.name);
    }
    this.version++;
  }

  /** The tool itself, where it is known without loading. */
  toolOf(entry: ToolEntry): Tool | undefined {
    return entry.appTool ?? this.#tools.get(entry.name);
  }

  resolvedTool(entry: ToolEntry, tool: Tool): ResolvedTool {
    return { name: entry.name, bare: entry.bare, groupId: entry.groupId, tool };
  }

  /** The same object for the same tool, so that its bytes cannot drift. */
  definitionOf(entry: ToolEntry, tool: Tool): ToolDefinition {
    const known = this.#definitions.get(tool);
    if (known?.name === entry.name) return known;
    const definition = sharedDefinition(toDefinition(entry.name, tool));
    this.#definitions.set(tool, definition);
    return definition;
  }

  /**
   * A short text that identifies the tool now: by its definition if that has loaded (`d…`),
   * else by the version of its group, or by what a group without a version lists (`l…`).
   * Approvals and permits are bound to it.
   */
  bindingOf(entry: ToolEntry): string {
    const loaded = this.fingerprintOf(entry);
    return loaded === undefined ? this.#listing(entry) : `d${loaded}`;
  }

  /**
   * Whether the tool is still the one that a binding was made for, as far as the binding can
   * tell.
   */
  isBound(entry: ToolEntry, binding: string): boolean {
    const now = binding.startsWith('l') ? this.#listing(entry) : this.bindingOf(entry);
    return now === binding;
  }

  #listing({ name, groupId = '' }: ToolEntry): string {
    const record = this.registry.groups.get(groupId);
    const listed = record?.listed.map((entry) => [entry.bare, entry.description ?? null]);
    return `l${fingerprint([name, record?.group.fingerprint ?? listed ?? null])}`;
  }

  /** Of the tool's definition and annotations, where those have loaded: others are another tool. */
  fingerprintOf(entry: ToolEntry): string | undefined {
    const tool = this.toolOf(entry);
    return tool && definitionFingerprint(this.definitionOf(entry, tool), tool.annotations);
  }

  /** Warns about a flaw in a tool's schema, once for each definition and kind of flaw. */
  warnOfSchema(definition: ToolDefinition, warning: string): void {
    const [kind = ''] = warning.split(':');
    const known = this.#warnedOf.get(definition) ?? new Set();
    if (known.has(kind)) return;
    this.#warnedOf.set(definition, known.add(kind));
    this.#options.warn(`${definition.name}: ${warning}`);
  }

  /** The exposure of a tool by all that is known now. */
  placement(entry: ToolEntry): Placement {
    return placementOf(entry, this.toolOf(entry), this.#groupOf(entry)?.exposure, this.#rules);
  }

  /** The exposure of a tool by what is known before loading: frozen content must not move. */
  listedPlacement(entry: ToolEntry): Placement {
    const known = this.#listed.get(entry);
    if (known) return known;
    const { exposure } = this.#groupOf(entry) ?? {};
    const placement = placementOf(entry, entry.appTool, exposure, this.#rules);
    this.#listed.set(entry, placement);
    return placement;
  }

  /** The exposure of a group's unlisted tools. */
  groupPlacement(groupId: string): Exposure {
    return this.listedPlacement(this.#unlisted(groupId, '')).exposure;
  }

  /** Whether a view may know of a group: it sees one of its tools, or could see an unlisted one. */
  groupVisibleTo(view: View, { group, listed }: GroupRecord): boolean {
    const visible = this.visibleTo(view);
    return listed.length > 0 ? listed.some(visible) : visible(this.#unlisted(group.groupId, ''));
  }

  /**
   * Whether the group may hide a tool from a view. An unlisted name must not start the loader
   * of such a group: a hidden tool does not start it either, and the two must look alike.
   */
  mayHide(view: View, { group, slug, listed }: GroupRecord): boolean {
    const hidden = this.#rules.flatMap(([glob, exposure]) => (exposure === 'hidden' ? [glob] : []));
    const prefix = group.prefix === false ? '' : `${slug}__`;
    return (
      [...hidden, ...(view.denies ?? [])].some((glob) => mayMatchIn(glob, group.groupId, prefix)) ||
      !listed.every(this.visibleTo(view))
    );
  }

  /** Whether a view could be shown an unlisted tool of the group, by its bare name. */
  couldShow(view: View, groupId: string, bare: string): boolean {
    return this.listedTo(view)(this.#unlisted(groupId, bare));
  }

  /** The filter for everything a model is shown or may run, as of each call of it. */
  visibleTo(view: View): (entry: ToolEntry) => boolean {
    return this.#visibility.of(view);
  }

  /** The tools that a view is shown or may run now, in the order in which they became known. */
  visibleEntries(view: View): ToolEntry[] {
    const isVisible = this.visibleTo(view);
    const entries: ToolEntry[] = [];
    for (const entry of this.registry.entries()) if (isVisible(entry)) entries.push(entry);
    return entries;
  }

  /** The filter for what is rendered once and frozen. */
  listedTo(view: View): (entry: ToolEntry) => boolean {
    return (entry) => view.allows(entry) && this.listedPlacement(entry).exposure !== 'hidden';
  }

  /** What a trusted source says about a loaded tool. */
  trustedAnnotationsOf(name: string): Tool['annotations'] {
    const entry = this.registry.get(name);
    const trusted = entry?.groupId === undefined || this.#groupOf(entry)?.trusted === true;
    return entry && trusted ? this.toolOf(entry)?.annotations : undefined;
  }

  /** Rejects with the loader's error, or with the signal's reason. */
  async load(groupId: string, signal?: AbortSignal): Promise<readonly Tool[]> {
    for (;;) {
      const record = this.registry.groups.get(groupId);
      if (!record) return [];
      const tools = await this.#loads.load(record.group, signal);
      if (tools) return tools;
    }
  }

  isLoaded(groupId: string): boolean {
    const record = this.registry.groups.get(groupId);
    return record !== undefined && this.#loads.peek(record.group) !== undefined;
  }

  loaderCache(): LoaderCache {
    return this.#loads.cache();
  }

  /** Tells the developer. */
  warn(text: string): void {
    this.#options.warn(text);
  }

  /** A search over all that is known at that moment. */
  async finder(signal?: AbortSignal): Promise<Find> {
    return this.#finder(signal);
  }

  /** The documents for search that are new or changed since the last call. */
  takeChangedDocuments(): ToolDocument[] {
    const entries = [...this.#unindexed].flatMap((name) => this.registry.get(name) ?? []);
    this.#unindexed.clear();
    return entries.map((entry) => {
      const tool = this.toolOf(entry);
      const { name: key, bare, shown, groupId: group = '' } = entry;
      const text = tool?.description ?? entry.description;
      // A name that was replaced, because it was not legal, is searched too.
      const description = bare === shown ? text : `${bare}: ${text ?? ''}`;
      const parameters = tool && this.definitionOf(entry, tool).parameters;
      return {
        ...{ key, name: shown, group },
        ...(description === undefined ? {} : { description }),
        ...(parameters ? { parameters: parametersOf(parameters, MAX_PARAMETERS) } : {}),
      };
    });
  }

  #integrate(group: DeferredToolGroup, loaded: readonly Tool[]): void {
    const tools = loaded.filter((tool) => {
      const problem = toolProblem(tool);
      if (problem)
        this.#options.warn(`${group.groupId} returned a tool that ${problem}; it is left out.`);
      return problem === undefined;
    });
    this.registry.addLoaded(group.groupId, tools);
    this.version++;
    const seen = new Set<string>();
    for (const tool of tools) {
      const entry = this.registry.toolOfGroup(group.groupId, tool.name);
      if (!entry) continue;
      if (seen.has(entry.name)) {
        this.#options.warn(
          `${group.groupId} returned two tools called "${tool.name}"; the first is used.`,
        );
        continue;
      }
      try {
        this.definitionOf(entry, tool);
      } catch (error) {
        this.#options.warn(errorMessage(error));
        continue;
      }
      seen.add(entry.name);
      this.#tools.set(entry.name, tool);
      this.#unindexed.add(entry.name);
    }
    const record = this.registry.groups.get(group.groupId);
    const missing = record?.listed.filter((entry) => !seen.has(entry.name)) ?? [];
    for (const entry of missing) this.#tools.delete(entry.name);
    // Warnings may have asked for what was known halfway.
    this.version++;
  }

  #unlisted(groupId: string, bare: string): ToolEntry {
    const slug = this.registry.groups.get(groupId)?.slug ?? '';
    const name = bare === '' ? `${slug}__` : canonicalName(slug, bare);
    const nothing = { description: undefined, meta: undefined, exposure: undefined };
    return { name, bare, shown: bare, groupId, ...nothing, appTool: undefined };
  }

  #groupOf(entry: ToolEntry): DeferredToolGroup | undefined {
    return entry.groupId === undefined ? undefined : this.registry.groups.get(entry.groupId)?.group;
  }
}

/** Without fingerprints, only a change of names shows that loaded tools are outdated. */
function sameVersion(before: GroupRecord, now: GroupRecord): boolean {
  if (before.group.fingerprint !== now.group.fingerprint) return false;
  const names = ({ listed }: GroupRecord) => listed.map((entry) => entry.bare).join('\n');
  return now.group.fingerprint !== undefined || names(before) === names(now);
}
