import type { ToolRequest } from '../calls/index.ts';
import type { GroupRecord, Toolbox, View } from '../registry/index.ts';
import {
  type Epoch,
  type LayerContext,
  refusalOf,
  TYPICAL_GROUP,
  TYPICAL_SCHEMA,
} from '../request/index.ts';
import {
  countRequest,
  definitionTokens,
  type TokenCounter,
  type TokenLedger,
  type ToolDefinition,
  type ToolEntry,
} from '../tool/index.ts';

export interface ExplainedTool {
  readonly name: string;
  readonly group?: string;
  /** `left out`: the endpoint would refuse it, and the strategy has no other way to call it. */
  readonly status: 'declared' | 'deferred' | 'hidden' | 'left out';
  readonly why: string;
}

/** What a session does with each tool: for people, never for the model. */
export interface Explanation {
  readonly strategy: string;
  readonly reason: string;
  readonly fingerprint: string;
  readonly tools: readonly ExplainedTool[];
  readonly catalog: {
    readonly tokens: number;
    readonly namesVisible: number;
    readonly namesTotal: number;
  };
  /** What the search compares, for example `words and vectors`. Undefined until somebody has searched. */
  readonly search: string | undefined;
  readonly tokens: TokenLedger;
}

export function explain(layer: LayerContext, view: View, turn: ToolRequest): Explanation {
  const { epoch, reason, presentation } = turn;
  const declared = new Set(presentation.tools.map((tool) => tool.name));
  const { tokens, namesVisible, namesTotal } = epoch.catalog;
  const isDeferring = epoch.strategy.defers !== 'nothing';
  const refused = new Map(
    [...epoch.refused, ...presentation.refused].map((tool) => [tool.name, tool]),
  );
  const tools: ExplainedTool[] = [];
  for (const entry of layer.toolbox.registry.entries()) {
    const { exposure, why, by } = layer.toolbox.placement(entry);
    const refusal = refused.get(entry.name);
    let status: ExplainedTool['status'] = 'deferred';
    let because = why;
    if (!view.allows(entry)) [status, because] = ['hidden', 'not in the role'];
    else if (exposure === 'hidden') status = 'hidden';
    else if (declared.has(entry.name)) status = 'declared';
    else if (refusal) [status, because] = [refusal.instead, refusal.why];
    else if (!layer.toolbox.toolOf(entry) && (exposure === 'inline' || !isDeferring))
      [status, because] = ['declared', `${why}; once its group has loaded`];
    if (because === why && by === 'default')
      because = defaultWords(why, entry, status, isDeferring);
    if (status === 'deferred' && !refusal) {
      const rule = refusalOf(layer.toolbox, entry, epoch.accepts);
      if (rule !== undefined) because = `${because}; ${rule}`;
    }
    const group = entry.groupId === undefined ? {} : { group: entry.groupId };
    tools.push({ name: entry.name, ...group, status, why: because });
  }
  return {
    strategy: epoch.strategy.name,
    reason,
    fingerprint: epoch.fingerprint,
    tools,
    catalog: { tokens, namesVisible, namesTotal },
    search: layer.toolbox.compares,
    // Counted when it is read: most callers ask for the strategy alone. A turn does not change.
    get tokens() {
      return ledgerOf(layer, turn);
    },
  };
}

/** Why a tool that nobody marked is declared or deferred. */
function defaultWords(
  why: string,
  { groupId }: ToolEntry,
  status: ExplainedTool['status'],
  isDeferring: boolean,
): string {
  if (status === 'declared' && !isDeferring) return `${why}; every schema is sent`;
  if (status === 'deferred' && groupId === undefined)
    return `${why}, which nothing marks: the strategy defers it`;
  return why;
}

/** The ledger of a turn's request. */
function ledgerOf(layer: Pick<LayerContext, 'countTokens'>, turn: ToolRequest): TokenLedger {
  const { epoch, presentation } = turn;
  const bridges = new Set(epoch.bridges.map((tool) => tool.name));
  const fixed = new Set([...epoch.ownNames, ...epoch.groupTools.map((tool) => tool.name)]);
  return countRequest(presentation, layer.countTokens, (tool) =>
    bridges.has(tool.name) ? 'bridges' : fixed.has(tool.name) ? 'inline' : 'loaded',
  );
}

/** The tokens of definitions, by counter: a definition never changes. */
const sizes = new WeakMap<TokenCounter, WeakMap<ToolDefinition, number>>();

/** What a request may use. */
interface Usable {
  readonly tools: readonly ToolEntry[];
  /** Whether it may use a group that names its tools only when it loads. */
  readonly group: (groupId: string) => boolean;
}

/**
 * The tokens of the schemas of usable tools that an epoch does not declare from the start. A schema that has not loaded counts as what its group reports, or as a typical one.
 */
export function deferredTokens(
  epoch: Epoch,
  toolbox: Toolbox,
  countTokens: TokenCounter,
  usable: Usable,
): number {
  if (epoch.strategy.defers === 'nothing') return 0;
  const { registry } = toolbox;
  const declared = new Set([...epoch.ownNames, ...epoch.groupTools.map(({ name }) => name)]);
  let tokens = 0;
  for (const entry of usable.tools) {
    if (declared.has(entry.name)) continue;
    const tool = toolbox.toolOf(entry);
    tokens += tool
      ? sizeOf(toolbox.definitionOf(entry, tool), countTokens)
      : unknownSize(registry.groups.get(entry.groupId ?? ''));
  }
  for (const { group, listed } of registry.groups.values()) {
    const { groupId, unavailable, schemaTokens } = group;
    if (listed.length > 0 || unavailable || toolbox.isLoaded(groupId)) continue;
    if (usable.group(groupId)) tokens += schemaTokens ?? TYPICAL_GROUP * TYPICAL_SCHEMA;
  }
  return Math.round(tokens);
}

/** The tokens of a schema that has not loaded. */
function unknownSize(record: GroupRecord | undefined): number {
  if (!record || record.group.unavailable) return 0;
  const { group, listed } = record;
  return group.schemaTokens === undefined ? TYPICAL_SCHEMA : group.schemaTokens / listed.length;
}

function sizeOf(definition: ToolDefinition, countTokens: TokenCounter): number {
  const known = sizes.get(countTokens) ?? new WeakMap<ToolDefinition, number>();
  sizes.set(countTokens, known);
  const size = known.get(definition) ?? definitionTokens(definition, countTokens);
  known.set(definition, size);
  return size;
}
