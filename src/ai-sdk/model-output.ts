import type { Tool as SdkTool } from 'ai';
import { isRecord, own } from '../tools/json.ts';

export type ModelOutput = Awaited<ReturnType<NonNullable<SdkTool['toModelOutput']>>>;
type ContentPart = Extract<ModelOutput, { type: 'content' }>['value'][number];

/**
 * What the model is shown of a result. Depends on the result alone, because the SDK converts stored
 * messages again, in processes where the tool's group has never loaded. MCP results (`content` as
 * in `CallToolResult`) become text and files; everything else passes as the SDK would pass it.
 */
export function toModelOutput(output: unknown): ModelOutput {
  const blocks = contentOf(output);
  if (!blocks) return plain(output);
  if (blocks.length === 0) return plain(own(output, 'structuredContent') ?? '');
  const parts = blocks.map(toPart);
  const texts = parts.flatMap((part) => (part.type === 'text' ? part.text : []));
  const text = texts.length === parts.length ? texts.join('\n') : undefined;
  if (own(output, 'isError') === true)
    return { type: 'error-text', value: text ?? texts.join('\n') };
  return text === undefined ? { type: 'content', value: parts } : { type: 'text', value: text };
}

function plain(output: unknown): ModelOutput {
  if (typeof output === 'string') return { type: 'text', value: output };
  const text = JSON.stringify(output);
  return { type: 'json', value: text === undefined ? null : JSON.parse(text) };
}

function contentOf(output: unknown): Record<string, unknown>[] | undefined {
  const content = own(output, 'content');
  if (!Array.isArray(content)) return;
  const isBlock = (block: unknown) => isRecord(block) && typeof block.type === 'string';
  return content.every(isBlock) ? content : undefined;
}

function toPart(block: Record<string, unknown>): ContentPart {
  const { type, text, data, mimeType } = block;
  if (type === 'text' && typeof text === 'string') return { type: 'text', text };
  if ((type === 'image' || type === 'audio') && typeof data === 'string') {
    const mediaType = typeof mimeType === 'string' ? mimeType : `${type}/*`;
    return { type: 'file', data: { type: 'data', data }, mediaType };
  }
  const inner = own(block, 'resource');
  const innerText = own(inner, 'text');
  if (type === 'resource' && typeof innerText === 'string')
    return { type: 'text', text: innerText };
  // Links, blobs and kinds to come: the model gets the block as it is.
  return { type: 'text', text: JSON.stringify(block) };
}
