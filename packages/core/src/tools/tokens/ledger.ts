import type { TokenCounter, ToolDefinition } from '../tool/index.ts';

/** Tokens of one request, by purpose. */
export interface TokenLedger {
  /** Schemas declared from the start. */
  readonly inline: number;
  readonly bridges: number;
  /** Schemas declared since. */
  readonly loaded: number;
  readonly catalog: number;
  /** Notices and other texts put between the messages. */
  readonly inserts: number;
  readonly total: number;
}

/**
 * Tokens of a definition as its JSON text `{name, description?, parameters}`: the form in which any
 * provider's request body can be counted again.
 */
export function definitionTokens(tool: ToolDefinition, countTokens: TokenCounter): number {
  const { name, description, parameters } = tool;
  return countTokens(
    JSON.stringify(
      description === undefined ? { name, parameters } : { name, description, parameters },
    ),
  );
}

/** Adds up what Toolfold puts into one request. Without `kindOf`, all declared tools count as inline. */
export function countRequest(
  request: {
    readonly system: string;
    readonly tools: readonly ToolDefinition[];
    readonly inserts: readonly { readonly text: string }[];
    readonly deliveries: readonly { readonly tools: readonly ToolDefinition[] }[];
  },
  countTokens: TokenCounter,
  kindOf?: (tool: ToolDefinition) => 'inline' | 'bridges' | 'loaded',
): TokenLedger {
  const tools = { inline: 0, bridges: 0, loaded: 0 };
  for (const tool of request.tools)
    tools[kindOf?.(tool) ?? 'inline'] += definitionTokens(tool, countTokens);
  for (const tool of request.deliveries.flatMap((delivery) => delivery.tools))
    tools.loaded += definitionTokens(tool, countTokens);
  const catalog = request.system === '' ? 0 : countTokens(request.system);
  const inserts = request.inserts.reduce(
    (sum, insert) => sum + (insert.text === '' ? 0 : countTokens(insert.text)),
    0,
  );
  const total = tools.inline + tools.bridges + tools.loaded + catalog + inserts;
  return { ...tools, catalog, inserts, total };
}
