import { fingerprint } from '@toolfold/core/internal/tools/values';
import { asSchema, type Tool as SdkTool } from 'ai';
import type { WireTool } from '../declared-tools/index.ts';

/**
 * The binding of a provider's own tool, which the layer does not have. An approval holds only for this
 * binding. Undefined for a tool with a schema.
 */
export function bindingOf(tool: SdkTool): string | undefined {
  return tool.type === 'provider' ? ofProvider(tool.id, tool.args) : undefined;
}

/** The binding of any tool of the AI SDK that the layer does not have. */
export async function foreignBinding(tool: SdkTool | undefined): Promise<string | undefined> {
  if (!tool) return;
  return bindingOf(tool) ?? ofSchema(await asSchema(tool.inputSchema).jsonSchema);
}

/** The binding of such a tool in its wire form. */
export function wireBinding(tool: WireTool | undefined): string | undefined {
  if (!tool) return;
  return tool.type === 'provider' ? ofProvider(tool.id, tool.args) : ofSchema(tool.inputSchema);
}

function ofProvider(id: unknown, args: unknown): string {
  return `p${fingerprint([id, args ?? {}])}`;
}

function ofSchema(schema: unknown): string {
  return `s${fingerprint(schema)}`;
}
