import type { ToolRequest } from '../calls/index.ts';
import { type LayerContext, refusalOf } from '../epoch/index.ts';
import type { View } from '../registry/index.ts';
import { countRequest, type TokenLedger } from '../tokens/index.ts';

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
    const { exposure, why } = layer.toolbox.placement(entry);
    const refusal = refused.get(entry.name);
    let status: ExplainedTool['status'] = 'deferred';
    let because = why;
    if (!view.allows(entry)) [status, because] = ['hidden', 'not in the role'];
    else if (exposure === 'hidden') status = 'hidden';
    else if (declared.has(entry.name)) status = 'declared';
    else if (refusal) [status, because] = [refusal.instead, refusal.why];
    else if (!layer.toolbox.toolOf(entry) && (exposure === 'inline' || !isDeferring))
      [status, because] = ['declared', `${why}; once its group has loaded`];
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

/** The ledger of a turn's request. */
function ledgerOf(layer: Pick<LayerContext, 'countTokens'>, turn: ToolRequest): TokenLedger {
  const { epoch, presentation } = turn;
  const bridges = new Set(epoch.bridges.map((tool) => tool.name));
  const fixed = new Set([...epoch.ownNames, ...epoch.groupTools.map((tool) => tool.name)]);
  return countRequest(presentation, layer.countTokens, (tool) =>
    bridges.has(tool.name) ? 'bridges' : fixed.has(tool.name) ? 'inline' : 'loaded',
  );
}
