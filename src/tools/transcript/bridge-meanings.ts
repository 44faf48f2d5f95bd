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
  /** The kinds of names that no tool has taken, as of a version of the toolbox. */
  #untaken: { readonly version: number; readonly kinds: Kinds } | undefined;

  /** `forms`: the bridge tools in all their forms; the last form knows every name. */
  constructor(toolbox: Toolbox, forms: readonly Bridges[]) {
    this.#toolbox = toolbox;
    this.#kinds = forms.at(-1)?.kinds() ?? new Map();
    const current = [...this.#kinds].filter(([name, kind]) =>
      forms.some((form) => form.name(kind) === name),
    );
    this.#current = new Set(current.map(([name]) => name));
  }

  /** `beside`: tools of the host. They may have a name that a bridge tool had earlier. */
  now(beside: readonly string[] = []): Kinds {
    const { version } = this.#toolbox;
    if (this.#untaken?.version !== version) {
      const { registry } = this.#toolbox;
      const kinds = new Map([...this.#kinds].filter(([name]) => !registry.get(name)));
      this.#untaken = { version, kinds };
    }
    const { kinds } = this.#untaken;
    const hidden = new Set(beside.filter((name) => !this.#current.has(name)));
    return hidden.size === 0 ? kinds : new Map([...kinds].filter(([name]) => !hidden.has(name)));
  }
}
