import { isRecord, ownProperties, ownProperty } from '../../tools/values/index.ts';
import { type ModelOutput, plainOutput } from './model-output.ts';

type ContentPart = Extract<ModelOutput, { type: 'content' }>['value'][number];

/**
 * Image types that every provider with image input accepts (documentation of Anthropic and OpenAI,
 * 2026), by the first bytes in base64. Anthropic refuses an image whose data is not of its media type.
 */
const IMAGES: readonly (readonly [start: RegExp, mediaType: string])[] = [
  [/^iVBORw0KGgo/, 'image/png'],
  [/^\/9j\//, 'image/jpeg'],
  [/^R0lGOD/, 'image/gif'],
  [/^UklGR.{7}RUJQ/, 'image/webp'],
];

/**
 * The output for the model of an MCP `CallToolResult`: its texts and images, or the structured content
 * if there is no other content. Providers refuse or drop other files, so the model gets a text with
 * their kind and size. A refused result would make every later request fail, because it stays in the
 * conversation. A value that is not a `CallToolResult` is shown unchanged.
 */
export function mcpOutput(output: unknown): ModelOutput {
  const { content, structuredContent, isError } = ownProperties(output);
  const blocks = Array.isArray(content) ? content.filter(isRecord) : [];
  const isResult =
    Array.isArray(content) &&
    blocks.length === content.length &&
    blocks.every(({ type }) => typeof type === 'string');
  if (!isResult) return plainOutput(output);
  if (blocks.length === 0) return plainOutput(structuredContent ?? '');
  const parts = blocks.map(toPart);
  const texts = parts.flatMap((part) => (part.type === 'text' ? part.text : []));
  const text = texts.join('\n');
  if (isError === true) return { type: 'error-text', value: text };
  if (texts.length === parts.length) return { type: 'text', value: text };
  // Anthropic refuses empty texts beside other parts.
  return { type: 'content', value: parts.filter((part) => part.type !== 'text' || part.text) };
}

function toPart(block: Record<string, unknown>): ContentPart {
  const { type, text, data, mimeType } = block;
  if (type === 'text' && typeof text === 'string') return textPart(text);
  if ((type === 'image' || type === 'audio') && typeof data === 'string')
    return imagePart(data) ?? textPart(describeBlock(type, data, mimeType));
  const inner = ownProperty(block, 'resource');
  const innerText = ownProperty(inner, 'text');
  if (type === 'resource' && typeof innerText === 'string') return textPart(innerText);
  const blob = ownProperty(inner, 'blob');
  if (type === 'resource' && typeof blob === 'string')
    return imagePart(blob) ?? textPart(describeBlock(type, blob, ownProperty(inner, 'mimeType')));
  // Links and unknown kinds: the model gets the block as JSON.
  return textPart(JSON.stringify(block));
}

function textPart(text: string): ContentPart & { type: 'text' } {
  return { type: 'text', text };
}

/** The image with the media type of its data; undefined if not all providers accept this type. */
function imagePart(given: string): ContentPart | undefined {
  // Some servers break base64 into lines, write it for URLs, or leave out the padding.
  const bare = given.replace(/[\s=]/g, '').replaceAll('-', '+').replaceAll('_', '/');
  const [, mediaType] = IMAGES.find(([start]) => start.test(bare)) ?? [];
  if (mediaType === undefined || bare.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(bare)) return;
  const data = bare.padEnd(Math.ceil(bare.length / 4) * 4, '=');
  return { type: 'file', data: { type: 'data', data }, mediaType };
}

function describeBlock(kind: string, data: string, mediaType: unknown): string {
  const type =
    typeof mediaType === 'string' ? mediaType.replace(/[^\w/+.-]/g, '').slice(0, 80) : '';
  const bytes = Math.floor((data.length * 3) / 4);
  return `[${kind}${type === '' ? '' : ` ${type}`}, ${bytes} bytes: it cannot be shown to you]`;
}
