import { NearIndex } from '../names/near/index.ts';
import type { Registry } from '../registry/index.ts';
import type { Entry } from '../tool/index.ts';
import type { Scope } from './scope.ts';

/** At most five names of the view that are similar to the given name. */
export function namesNear({ toolbox, view }: Scope, name: string): string[] {
  const { registry } = toolbox;
  const visible = toolbox.visibleTo(view);
  const shown = (text: string) => registry.findByShownName(text, visible);
  // A name that is not shown must not displace one that is.
  const found = indexOf(registry).nearest(name, 20, (text) => shown(text) !== undefined);
  return [...new Set(found.flatMap((text) => shown(text)?.name ?? []))].slice(0, 5);
}

/** The tools of the view whose shown name differs from the given one only in case and separators. */
export function namesAlike({ toolbox, view }: Scope, name: string): Entry[] {
  const { registry } = toolbox;
  const texts = indexOf(registry).same(name);
  const aliased = texts.flatMap((text) => registry.entriesByAlias(text));
  const found = texts.flatMap((text) => registry.get(text) ?? []);
  const alike = new Set([...found, ...aliased.filter(({ shown }) => texts.includes(shown))]);
  return [...alike].filter(toolbox.visibleTo(view));
}

/** An index of the names of one registry. New names are added at the next query. */
class WrittenNames {
  readonly near = new NearIndex();
  readonly #shown = new Set<string>();
  #count = 0;

  addNew(registry: Registry): void {
    if (registry.size === this.#count) return;
    // New entries come after the earlier ones.
    for (const entry of [...registry.entries()].slice(this.#count)) {
      this.near.add(entry.name);
      // Several groups may have the same shown name, and it may equal a canonical name.
      const { shown } = entry;
      if (registry.get(shown) || this.#shown.has(shown)) continue;
      this.#shown.add(shown);
      this.near.add(shown);
    }
    this.#count = registry.size;
  }
}

const indexes = new WeakMap<Registry, WrittenNames>();

function indexOf(registry: Registry): NearIndex {
  const names = indexes.get(registry) ?? new WrittenNames();
  indexes.set(registry, names);
  names.addNew(registry);
  return names.near;
}
