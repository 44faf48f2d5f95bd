import type { Toolbox } from '../registry/index.ts';
import type { BridgeKind, Bridges } from '../strategies/index.ts';

/** The bridge tools by the names that mean them. */
type Kinds = ReadonlyMap<string, BridgeKind>;

/** What the names of bridge tools mean in messages, now and in earlier forms. */
export class BridgeMeanings {
  readonly #toolbox: Toolbox;
  readonly #kinds: Kinds;
  /** The names that a form has now, which no tool of the host can take. */
  readonly #current: ReadonlySet<string>;
  /** The names that a tool of the toolbox may take. */
  readonly #free: readonly string[];
  /** The kinds of names that no tool has taken, as of a version of the toolbox. */
  #untaken: { readonly version: number; readonly kinds: Kinds } | undefined;

  /**
   * `forms`: the bridge tools in all their forms; the last form knows every name. `reserved`: names
   * that no tool of the toolbox has.
   */
  constructor(toolbox: Toolbox, forms: readonly Bridges[], reserved: ReadonlySet<string>) {
    this.#toolbox = toolbox;
    this.#kinds = forms.at(-1)?.kinds() ?? new Map();
    const current = [...this.#kinds].filter(([name, kind]) =>
      forms.some((form) => form.name(kind) === name),
    );
    this.#current = new Set(current.map(([name]) => name));
    this.#free = [...this.#kinds.keys()].filter((name) => !reserved.has(name));
  }

  /** `beside`: tools of the host. They may have a name that a bridge tool had earlier. */
  now(beside: readonly string[] = []): Kinds {
    const kinds = this.#free.length === 0 ? this.#kinds : this.#untakenNow();
    const hidden = new Set(beside.filter((name) => !this.#current.has(name)));
    return hidden.size === 0 ? kinds : new Map([...kinds].filter(([name]) => !hidden.has(name)));
  }

  #untakenNow(): Kinds {
    const { version, registry } = this.#toolbox;
    if (this.#untaken?.version === version) return this.#untaken.kinds;
    const taken = new Set(this.#free.filter((name) => registry.get(name)));
    const kinds = new Map([...this.#kinds].filter(([name]) => !taken.has(name)));
    this.#untaken = { version, kinds };
    return kinds;
  }
}
