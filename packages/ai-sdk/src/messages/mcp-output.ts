import {
  canonicalJson,
  fileLine,
  isRecord,
  ownProperties,
  ownProperty,
  parsedJson,
  plainLine,
} from '@toolfold/core/internal/values';
import { asErrorFile, type ModelOutput, plainOutput } from './output.ts';

type ContentPart = Extract<ModelOutput, { type: 'content' }>['value'][number];
type TextPart = Extract<ContentPart, { type: 'text' }>;

/**
 * Files that models take, by their first bytes in base64: the images of every provider with image input
 * (documentation of Anthropic and OpenAI, 2026), and PDFs. Anthropic refuses data that is not of its media
 * type.
 */
const FILES: readonly (readonly [start: RegExp, mediaType: string])[] = [
  [/^iVBORw0KGgo/, 'image/png'],
  [/^\/9j\//, 'image/jpeg'],
  [/^R0lGOD/, 'image/gif'],
  [/^UklGR.{7}RUJQ/, 'image/webp'],
  [/^JVBERi0/, 'application/pdf'],
];

/** The longest name of a file, in characters. */
const MAX_NAME = 100;

/** Anthropic refuses an error without a text. */
const FAILED = 'The tool failed and said nothing.';

/**
 * The output for the model of an MCP `CallToolResult`: its texts, images and PDFs, and its structured
 * content where no text says the same. A text with kind and size stands for any other file. Which files a
 * provider takes is decided when a request is written; see `sentOutput`. A value that is not a
 * `CallToolResult` is shown unchanged.
 */
export function mcpOutput(output: unknown): ModelOutput {
  const { content, structuredContent, isError } = ownProperties(output);
  const blocks = Array.isArray(content) ? content.filter(isRecord) : [];
  const isResult =
    Array.isArray(content) &&
    blocks.length === content.length &&
    blocks.every(({ type }) => typeof type === 'string');
  if (!isResult) return plainOutput(output);
  const failed = isError === true;
  if (blocks.length === 0 && !failed) return plainOutput(structuredContent ?? '');
  const given = blocks.map(toPart);
  const data = structuredText(structuredContent, given.filter(isText));
  const parts = data === undefined ? given : [...given, textPart(data)];
  const texts = parts.filter(isText);
  if (texts.length === parts.length) {
    const value = texts.map(({ text }) => text).join('\n');
    return failed ? { type: 'error-text', value: value || FAILED } : { type: 'text', value };
  }
  // Anthropic refuses empty texts beside other parts.
  const value = parts.filter((part) => !isText(part) || part.text !== '');
  return { type: 'content', value: failed ? value.map(asErrorFile) : value };
}

/**
 * Structured content as a text; undefined if the texts are this JSON already. Its keys are sorted: messages
 * may go through a store that sorts them, and the bytes must stay.
 */
function structuredText(structured: unknown, texts: readonly TextPart[]): string | undefined {
  if (structured === undefined || structured === null) return;
  const plain = plainOutput(structured);
  if (plain.type !== 'json') return 'value' in plain ? String(plain.value) : undefined;
  const { value } = plain;
  const all = texts.map(({ text }) => text);
  const isSaid = [...all, all.join('\n')].some((text) => isJsonOf(text, value));
  return isSaid || isWrapped(value, all) ? undefined : canonicalJson(value);
}

function isJsonOf(text: string, value: unknown): boolean {
  const parsed = parsedJson(text);
  return parsed !== undefined && canonicalJson(parsed) === canonicalJson(value);
}

/**
 * Whether the structured content is only `{ result }` around what the texts say. FastMCP wraps so what is no
 * object: a text, or a list with one text for each item.
 */
function isWrapped(structured: unknown, texts: readonly string[]): boolean {
  if (!isRecord(structured) || Object.keys(structured).join() !== 'result') return false;
  const { result } = structured;
  const says = (value: unknown, text: string) => value === text || isJsonOf(text, value);
  if (says(result, texts.join('\n'))) return true;
  return (
    Array.isArray(result) &&
    result.length === texts.length &&
    result.every((one, at) => says(one, texts[at] ?? ''))
  );
}

function toPart(block: Record<string, unknown>): ContentPart {
  const { type, text, data, mimeType } = block;
  if (type === 'text' && typeof text === 'string') return textPart(text);
  if ((type === 'image' || type === 'audio') && typeof data === 'string')
    return withName(filePart(type, data, mimeType));
  const inner = ownProperty(block, 'resource');
  const innerText = ownProperty(inner, 'text');
  if (type === 'resource' && typeof innerText === 'string') return textPart(innerText);
  const blob = ownProperty(inner, 'blob');
  if (type === 'resource' && typeof blob === 'string')
    return withName(
      filePart(type, blob, ownProperty(inner, 'mimeType')),
      ownProperty(inner, 'uri'),
    );
  // Links and unknown kinds: the model gets the block as JSON.
  return textPart(JSON.stringify(block));
}

/** A PDF with the last part of its URI as its name: the SDK's provider of OpenAI's Responses calls a file without one `data`. */
function withName(part: ContentPart, uri?: unknown): ContentPart {
  if (part.type !== 'file' || part.mediaType !== 'application/pdf') return part;
  const last =
    (typeof uri === 'string' ? uri : '')
      .replace(/[?#].*$/s, '')
      .split('/')
      .at(-1) ?? '';
  const name = plainLine(decoded(last), MAX_NAME).replace(/\.pdf$/i, '');
  return { ...part, filename: `${name || 'document'}.pdf` };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function textPart(text: string): TextPart {
  return { type: 'text', text };
}

function isText(part: ContentPart): part is TextPart {
  return part.type === 'text';
}

/** The file with the media type of its data, or a line if no provider takes this type. */
function filePart(kind: string, given: string, mimeType: unknown): ContentPart {
  // Some servers break base64 into lines, write it for URLs, or leave out the padding.
  const bare = given.replace(/[\s=]/g, '').replaceAll('-', '+').replaceAll('_', '/');
  const [, mediaType] = FILES.find(([start]) => start.test(bare)) ?? [];
  if (mediaType === undefined || bare.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(bare))
    return textPart(fileLine(`${kind} ${typeof mimeType === 'string' ? mimeType : ''}`, given));
  const data = bare.padEnd(Math.ceil(bare.length / 4) * 4, '=');
  return { type: 'file', data: { type: 'data', data }, mediaType };
}
