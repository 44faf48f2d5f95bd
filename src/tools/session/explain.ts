import type { ToolRequest } from '../calls/index.ts';
import type { LayerContext } from '../epoch/index.ts';
import type { View } from '../registry/index.ts';
import { countRequest, type TokenLedger } from '../tokens/index.ts';

export interface ExplainedTool {
  readonly name: string;
  readonly group?: string;
  readonly status: 'declared' | 'deferred' | 'hidden';
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
  readonly tokens: TokenLedger;
}

export function explain(layer: LayerContext, view: View, turn: ToolRequest): Explanation {
  const { epoch, reason, presentation } = turn;
  const declared = new Set(presentation.tools.map((tool) => tool.name));
  const { tokens, namesVisible, namesTotal } = epoch.catalog;
  return {
    strategy: epoch.strategy.name,
    reason,
    fingerprint: epoch.fingerprint,
    tools: [...layer.toolbox.registry.entries()].map((entry) => {
      const { exposure, why } = layer.toolbox.placement(entry);
      const group = entry.groupId === undefined ? {} : { group: entry.groupId };
      if (!view.allows(entry))
        return { name: entry.name, ...group, status: 'hidden', why: 'not in the role' };
      if (exposure === 'hidden') return { name: entry.name, ...group, status: 'hidden', why };
      if (declared.has(entry.name)) return { name: entry.name, ...group, status: 'declared', why };
      const isAwaited = exposure === 'inline' && !layer.toolbox.toolOf(entry);
      const because = isAwaited ? `${why}; inline once its group has loaded` : why;
      return { name: entry.name, ...group, status: 'deferred', why: because };
    }),
    catalog: { tokens, namesVisible, namesTotal },
    tokens: ledgerOf(layer, turn),
  };
}

/** The ledger of a turn's request. */
function ledgerOf(layer: Pick<LayerContext, 'countTokens'>, turn: ToolRequest): TokenLedger {
  const { epoch, presentation } = turn;
  const bridges = new Set(epoch.bridges.map((tool) => tool.name));
  const fixed = new Set([...epoch.ownNames, ...epoch.groupTools.map((tool) => tool.name)]);
  return countRequest(
    presentation,
    (tool) => (bridges.has(tool.name) ? 'bridges' : fixed.has(tool.name) ? 'inline' : 'loaded'),
    layer.countTokens,
  );
}
