import type { Toolbox } from '../registry/index.ts';
import { countRequest, type TokenLedger } from '../tokens/index.ts';
import type { TokenCounter } from '../tool/index.ts';
import { type Epoch, fixedTools } from './epoch.ts';

/** Tokens of an epoch's first request: what is declared and the catalog, no messages. */
export function epochTokens(
  epoch: Epoch,
  toolbox: Toolbox,
  countTokens: TokenCounter,
): TokenLedger {
  const bridges = new Set(epoch.bridges);
  const tools = fixedTools(epoch, toolbox);
  const request = { system: epoch.system, tools, inserts: [], deliveries: [] };
  return countRequest(request, countTokens, (tool) => (bridges.has(tool) ? 'bridges' : 'inline'));
}
