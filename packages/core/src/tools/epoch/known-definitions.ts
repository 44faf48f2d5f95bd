import { shownDefinition } from '../schema/index.ts';
import { withObjectRoot } from '../strategies/index.ts';
import { definitionTokens, type Limits } from '../tokens/index.ts';
import type { TokenCounter, ToolDefinition } from '../tool/index.ts';
import { hashText, Recent } from '../values/index.ts';
import type { Delivery } from './delivery.ts';

/**
 * The number of definitions that are remembered, each by a short hash. Older ones are forgotten.
 */
const LIMIT = 20_000;

/**
 * The definitions that tools have here, or had when they were last appended. A browser may hold
 * the messages, so a definition in them is appended at the provider's level of tools only if it
 * equals one of these.
 */
export class KnownDefinitions {
  readonly #limits: Limits;
  readonly #countTokens: TokenCounter;
  /** The form of a definition that is appended, as JSON; computed once. */
  readonly #shown = new WeakMap<ToolDefinition, string>();
  readonly #had = new Recent<true>(LIMIT);

  constructor(limits: Limits, countTokens: TokenCounter) {
    this.#limits = limits;
    this.#countTokens = countTokens;
  }

  /** Whether a tool of this name has, or had, the definition with this JSON. */
  has(name: string, json: string, now: ToolDefinition | undefined): boolean {
    return (
      (now !== undefined && this.#shownOf(now) === json) ||
      this.#had.get(keyOf(name, json)) === true
    );
  }

  /** Short keys of the appended definitions, for a state that the host keeps. */
  keysOf(deliveries: readonly Delivery[]): string[] {
    const keys = deliveries.flatMap(({ tools }) =>
      tools.map((tool) => keyOf(tool.name, JSON.stringify(tool))),
    );
    return [...new Set(keys)];
  }

  /** Adds keys that `keysOf` has made elsewhere. */
  add(keys: readonly string[]): void {
    for (const key of keys) this.#had.set(key, true);
  }

  #shownOf(definition: ToolDefinition): string {
    const known = this.#shown.get(definition);
    if (known !== undefined) return known;
    const size = definitionTokens(definition, this.#countTokens);
    const { shown } = shownDefinition(this.#limits, this.#countTokens, definition, size);
    const json = JSON.stringify(withObjectRoot(shown));
    this.#shown.set(definition, json);
    this.#had.set(keyOf(definition.name, json), true);
    return json;
  }
}

function keyOf(name: string, json: string): string {
  return `${name}|${hashText(json, 32)}`;
}
