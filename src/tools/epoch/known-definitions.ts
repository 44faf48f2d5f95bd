import { shownDefinition } from '../schema/index.ts';
import { declarable } from '../strategies/index.ts';
import { definitionTokens, type Limits } from '../tokens/index.ts';
import type { TokenCounter, ToolDefinition } from '../tool/index.ts';
import { hashText, Recent } from '../values/index.ts';
import type { Delivery } from './delivery.ts';

/** Definitions remembered at most, each by a short hash; a tool that has gone is then no longer known. */
const LIMIT = 20_000;

/**
 * The definitions that tools have here, or had when they were last appended. A browser may hold the
 * messages: a definition in them reaches the level of the provider's tools only if it is one of these.
 */
export class KnownDefinitions {
  readonly #limits: Limits;
  readonly #countTokens: TokenCounter;
  /** What is appended of a definition, as JSON; worked out once. */
  readonly #shown = new WeakMap<ToolDefinition, string>();
  readonly #had = new Recent<true>(LIMIT);

  constructor(limits: Limits, countTokens: TokenCounter) {
    this.#limits = limits;
    this.#countTokens = countTokens;
  }

  /** Whether what is to be appended, as JSON, is what a tool of this name has, or had. */
  has(name: string, json: string, now: ToolDefinition | undefined): boolean {
    return (
      (now !== undefined && this.#shownOf(now) === json) ||
      this.#had.get(keyOf(name, json)) === true
    );
  }

  /** Short texts by which definitions that were appended are known again: for a state that the host keeps. */
  keysOf(deliveries: readonly Delivery[]): string[] {
    const keys = deliveries.flatMap(({ tools }) =>
      tools.map((tool) => keyOf(tool.name, JSON.stringify(tool))),
    );
    return [...new Set(keys)];
  }

  /** Takes in what `keysOf` made elsewhere. */
  add(keys: readonly string[]): void {
    for (const key of keys) this.#had.set(key, true);
  }

  #shownOf(definition: ToolDefinition): string {
    const known = this.#shown.get(definition);
    if (known !== undefined) return known;
    const size = definitionTokens(definition, this.#countTokens);
    const { shown } = shownDefinition(this.#limits, this.#countTokens, definition, size);
    const json = JSON.stringify(declarable(shown) ?? shown);
    this.#shown.set(definition, json);
    this.#had.set(keyOf(definition.name, json), true);
    return json;
  }
}

function keyOf(name: string, json: string): string {
  return `${name}|${hashText(json, 32)}`;
}
