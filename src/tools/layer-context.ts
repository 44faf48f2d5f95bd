import type { AutoOptions } from './auto.ts';
import type { BridgeNames } from './bridges.ts';
import type { CatalogOptions } from './catalog.ts';
import type { Epoch } from './epoch.ts';
import type { Limits } from './scope.ts';
import type { StrategyChoice } from './strategy.ts';
import type { TokenCounter, Tool } from './tool.ts';
import type { ToolList } from './tool-list.ts';
import type { Toolbox } from './toolbox.ts';
import type { CallEvent } from './turn.ts';
import type { Role } from './view.ts';

/** What all sessions of a layer share: options, tools, and the epochs and lists they have seen. */
export interface LayerContext {
  readonly toolbox: Toolbox;
  readonly roles: Readonly<Record<string, Role>>;
  readonly strategy: Exclude<StrategyChoice, false>;
  readonly bridgeNames: BridgeNames;
  readonly catalog: CatalogOptions;
  readonly limits: Limits;
  readonly auto: AutoOptions;
  readonly countTokens: TokenCounter;
  /** In milliseconds. */
  readonly patience: number;
  readonly onToolsExpanded: (groupId: string, tools: readonly Tool[]) => void;
  readonly onCall: (event: CallEvent) => void;
  readonly warn: (text: string) => void;
  readonly epochs: Recent<Epoch>;
  readonly lists: Recent<ToolList>;
  /** Results of work that depends on its key alone. */
  readonly memo: Recent<unknown>;
}

/** Keeps the most recently used values, so that no number of roles or updates fills the memory. */
export class Recent<V> {
  readonly #values = new Map<string, V>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): V | undefined {
    const value = this.#values.get(key);
    if (value !== undefined) {
      this.#values.delete(key);
      this.#values.set(key, value);
    }
    return value;
  }

  set(key: string, value: V): V {
    this.#values.delete(key);
    this.#values.set(key, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > this.#limit && oldest !== undefined) this.#values.delete(oldest);
    return value;
  }

  /** The values kept under keys of one scope (`scope|…`). */
  *values(scope: string): Iterable<V> {
    for (const [key, value] of this.#values) if (key.startsWith(`${scope}|`)) yield value;
  }
}

/** The value under the key, made now if it is not known. */
export function remember<V>(memo: Recent<unknown>, key: string, make: () => V): V {
  const known = memo.get(key) as V | undefined;
  return known ?? (memo.set(key, make()) as V);
}
