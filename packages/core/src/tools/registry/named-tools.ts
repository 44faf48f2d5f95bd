import type { Tool } from '../tool/index.ts';
import type { Addressed } from './globs/index.ts';
import type { Toolbox } from './toolbox.ts';

/** What is known without loading anything. */
export interface KnownTools {
  readonly tools: readonly Addressed[];
  /** Groups whose tools have no names yet. `prefix`: the start of the names of their tools. */
  readonly unnamed: readonly { readonly groupId: string; readonly prefix: string }[];
}

/** What a layer says of its tools, by their names. */
export interface NamedTools {
  /** The annotations of a loaded tool. Undefined if its source is not trusted. */
  hintsOf(name: string): Tool['annotations'];
  /** The tools that have names by now, and groups that name theirs when they load. */
  known(): KnownTools;
  /** Where a tool comes from. */
  addressOf(name: string): Addressed;
  /** Of a tool's definition and annotations, where those have loaded: others are another tool. */
  fingerprintOf(name: string): string | undefined;
  /**
   * What a tool is known by at this moment: its definition where that has loaded, else what its group
   * lists. For decisions that hold for this very tool.
   */
  bindingOf(name: string): string | undefined;
  /**
   * Whether the tool is still the one that a binding was made for. Loads its group where that has to
   * be known; true where the group does not load, which is found out where the tool runs.
   */
  isBound(
    name: string,
    binding: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<boolean>;
}

export function namedTools(toolbox: Toolbox): NamedTools {
  return {
    hintsOf: (name) => toolbox.trustedAnnotationsOf(name),
    known: () => ({
      tools: [...toolbox.registry.entries()],
      unnamed: [...toolbox.registry.groups.values()].flatMap(({ group, slug, listed }) =>
        listed.length > 0 || group.toolNames || group.toolSummaries || group.unavailable
          ? []
          : { groupId: group.groupId, prefix: group.prefix === false ? '' : `${slug}__` },
      ),
    }),
    addressOf: (name) => toolbox.registry.get(name) ?? { name, bare: name, groupId: undefined },
    fingerprintOf: (name) => {
      const entry = toolbox.registry.get(name);
      return entry && toolbox.fingerprintOf(entry);
    },
    bindingOf: (name) => {
      const entry = toolbox.registry.get(name);
      return entry && toolbox.bindingOf(entry);
    },
    isBound: async (name, binding, { signal } = {}) => {
      const entry = toolbox.registry.get(name);
      if (!entry) return true;
      if (
        entry.groupId !== undefined &&
        !toolbox.toolOf(entry) &&
        !toolbox.isBound(entry, binding)
      ) {
        const loaded = await toolbox.load(entry.groupId, signal).catch(() => undefined);
        signal?.throwIfAborted();
        if (!loaded) return true;
      }
      return toolbox.isBound(entry, binding);
    },
  };
}
