import { asSchema, type Tool as SdkTool } from 'ai';
import { fingerprint } from '../../tools/values/index.ts';
import type { WireTool } from '../wire/index.ts';

/**
 * What a provider's own tool, which the layer does not know, is known by: approvals are bound to it.
 * Undefined for a tool with a schema.
 */
export function bindingOf(tool: SdkTool): string | undefined {
  return tool.type === 'provider' ? ofProvider(tool.id, tool.args) : undefined;
}

/** The same of any tool of the AI SDK's that is no tool of the layer. */
export async function foreignBinding(tool: SdkTool | undefined): Promise<string | undefined> {
  if (!tool) return;
  return bindingOf(tool) ?? ofSchema(await asSchema(tool.inputSchema).jsonSchema);
}

/** The same of such a tool as it is sent. */
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
