import type { Toolbox, View } from '../registry/index.ts';
import { shownDefinition } from '../schema/index.ts';
import {
  AppendBudget,
  declarable,
  definitionTokens,
  hashText,
  type Limits,
  OWN_GROUP,
  STRICT,
  type TokenCounter,
  type ToolDefinition,
  withObjectRoot,
} from '../tool/index.ts';
import type { Appearance } from '../transcript/index.ts';
import { type JsonObject, ownProperty, Recent } from '../values/index.ts';
import type { Epoch } from './epoch.ts';

/** Schemas that a request appends at one place, in strategies that append. */
export interface Delivery {
  /**
   * They stand before the message at this index, or at the tail if it equals the number of
   * messages.
   */
  readonly position: number;
  /** The definitions that are new here; empty if all of them stand earlier. */
  readonly tools: readonly ToolDefinition[];
  /** The call whose result holds the schemas, and that result without them. */
  readonly callId?: string;
  readonly result?: JsonObject;
}

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

interface Deliveries {
  readonly deliveries: readonly Delivery[];
  /** Definitions in `tools` that the model does not see. */
  readonly deferred: readonly ToolDefinition[];
  /** Schemas that are shown as text from now on; see `Note.asText`. */
  readonly asText: readonly string[];
}

interface DeliveryInputs {
  readonly epoch: Epoch;
  readonly view: View;
  readonly toolbox: Toolbox;
  readonly definitions: KnownDefinitions;
  readonly appearances: readonly Appearance[];
  /** Names that are declared from the start. A transcript cannot replace them. */
  readonly fixed: ReadonlySet<string>;
}

/**
 * Decides where each schema of the transcript is appended: at its first appearance, and again
 * where it has changed. A schema that cannot be appended stays in its result, as text.
 */
export function planDeliveries(inputs: DeliveryInputs): Deliveries {
  const { epoch, appearances, fixed } = inputs;
  const form = epoch.append;
  if (!form) return { deliveries: [], deferred: [], asText: [] };
  const refers = form.declares === 'all';
  const declared = declaredBy(refers ? epoch.deferred : NOTHING);
  const budget = declared.budget.copy();
  const added = new Map<string, ToolDefinition>();
  const standing = new Map<string, string>();

  const canAppend = (tool: ToolDefinition, json: string): boolean => {
    const known = refers
      ? (declared.json.get(tool.name) ?? jsonOf(added.get(tool.name)))
      : undefined;
    if (known !== undefined) return known === json;
    if (!budget.reserve(json)) return false;
    added.set(tool.name, tool);
    return true;
  };

  const asText: string[] = [];
  const usable = form.onlyResults ? appearances.filter(({ callId }) => callId) : appearances;
  const deliveries = usable.map((came): Delivery => {
    const { tools, callId, result } = came;
    const position = form.anywhere ? came.behind : came.position;
    const fresh: ToolDefinition[] = [];
    const kept = new Set<string>();
    const unknown: string[] = [];
    for (const shown of tools) {
      if (fixed.has(shown.name) || !mayStand(inputs, shown.name, result)) continue;
      const { tool } = declarable(shown, epoch.accepts ?? STRICT);
      const json = JSON.stringify(tool ?? withObjectRoot(shown));
      if (standing.get(shown.name) === json) continue;
      const wasText = came.asText.has('*') || came.asText.has(shown.name);
      const isDeclared = refers && declared.json.get(shown.name) === json;
      if (wasText || !(isDeclared || isKnown(inputs, shown.name, json))) {
        kept.add(shown.name);
        if (!wasText) unknown.push(shown.name);
        continue;
      }
      standing.set(shown.name, json);
      if (tool && canAppend(tool, json)) fresh.push(tool);
      else kept.add(shown.name);
    }
    asText.push(...keysOf(came, unknown));
    if (callId === undefined || !result) return { position, tools: fresh };
    return { position, tools: fresh, callId, result: withoutSchemas(result, kept) };
  });
  const deferred = refers ? [...epoch.deferred, ...added.values()] : epoch.deferred;
  return { deliveries, deferred, asText };
}

/** Short texts for schemas of one result, or of none. */
function keysOf({ callId = '', tools }: Appearance, names: readonly string[]): string[] {
  const isWhole = callId !== '' && names.length === tools.length;
  return isWhole ? [`${callId}/*`] : names.map((name) => `${callId}/${name}`);
}

/** Whether a tool of this process has, or had, the definition that stands in the messages. */
function isKnown({ toolbox, definitions }: DeliveryInputs, name: string, json: string): boolean {
  const entry = toolbox.registry.get(name);
  const tool = entry && toolbox.toolOf(entry);
  return definitions.has(name, json, tool && toolbox.definitionOf(entry, tool));
}

/**
 * Whether the view may have a tool that a transcript names. An unknown tool may be gone; the
 * same rules apply to it. Only groups have such tools.
 */
function mayStand({ toolbox, view }: DeliveryInputs, name: string, result?: JsonObject): boolean {
  const entry = toolbox.registry.get(name);
  const claimed = ownProperty(result, 'group_id');
  // Some forms show the group next to its tools.
  if (entry && claimed !== undefined && claimed !== (entry.groupId ?? OWN_GROUP)) return false;
  if (entry) return toolbox.visibleTo(view)(entry);
  const at = name.indexOf('__');
  if (at < 0) return false;
  const known = [...toolbox.registry.groups.values()].find(
    ({ slug }) => slug === name.slice(0, at),
  );
  const groupId =
    known?.group.groupId ?? (typeof claimed === 'string' ? claimed : name.slice(0, at));
  return view.allows({ name, bare: name.slice(at + 2), groupId });
}

interface Declared {
  /** By name. */
  readonly json: ReadonlyMap<string, string>;
  readonly budget: AppendBudget;
}

const NOTHING: readonly ToolDefinition[] = [];
const DECLARED = new WeakMap<readonly ToolDefinition[], Declared>();

/**
 * The part of the limits that an epoch's list uses; computed once for each list, which may be
 * long.
 */
function declaredBy(tools: readonly ToolDefinition[]): Declared {
  const known = DECLARED.get(tools);
  if (known) return known;
  const json = new Map(tools.map((tool) => [tool.name, JSON.stringify(tool)]));
  const budget = new AppendBudget();
  for (const text of json.values()) budget.reserve(text);
  const made = { json, budget };
  DECLARED.set(tools, made);
  return made;
}

function jsonOf(tool: ToolDefinition | undefined): string | undefined {
  return tool && JSON.stringify(tool);
}

function withoutSchemas(result: JsonObject, kept: ReadonlySet<string>): JsonObject {
  const { schemas, ...rest } = result;
  if (kept.size === 0) return rest;
  const left = Array.isArray(schemas)
    ? schemas.filter((schema) => kept.has(String(ownProperty(schema, 'name'))))
    : [];
  return { ...rest, schemas: left };
}
