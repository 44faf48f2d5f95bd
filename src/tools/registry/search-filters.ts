import type { Entry } from '../tool/index.ts';
import type { Registry } from './registry.ts';
import type { View } from './view.ts';

/** Views whose filters are kept. */
const MAX_KEPT = 16;

type Filter = (name: string) => boolean;

/**
 * The filters of searches. A search remembers what a filter answered, so equal views share one filter
 * as long as neither the names nor the loaded tools change.
 */
export class SearchFilters {
  #version = -1;
  readonly #filters = new Map<string, Filter>();

  /** The filter that accepts the names of visible entries, without some names. */
  of(
    view: View,
    without: ReadonlySet<string>,
    version: number,
    registry: Registry,
    isVisible: (entry: Entry) => boolean,
  ): Filter {
    if (version !== this.#version) this.#filters.clear();
    this.#version = version;
    const key = JSON.stringify([view.key, ...[...without].sort()]);
    const filter =
      this.#filters.get(key) ??
      ((name: string) => {
        const entry = registry.get(name);
        return entry !== undefined && !without.has(name) && isVisible(entry);
      });
    this.#filters.delete(key);
    this.#filters.set(key, filter);
    const [oldest] = this.#filters.keys();
    if (this.#filters.size > MAX_KEPT && oldest !== undefined) this.#filters.delete(oldest);
    return filter;
  }
}
