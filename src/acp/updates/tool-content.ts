import { isAbsolute } from 'node:path';
import type { ToolCallContent, ToolCallLocation } from '@agentclientprotocol/sdk';
import { outputText } from '../../agent/transcript/index.ts';
import { listIn, ownProperty } from '../../tools/values/index.ts';
import { boundedText, MAX_VALUE } from './bounded.ts';

/** Most characters of an image in base64. Larger images are named and not sent. */
const MAX_IMAGE = 1_000_000;
/** Most images of one result. */
const MAX_IMAGES = 8;

/** A text as the content of a tool call. Empty for an empty text. */
export function textContent(text: string): ToolCallContent[] {
  if (text === '') return [];
  return [{ type: 'content', content: { type: 'text', text: boundedText(text) } }];
}

/** The result of a tool for people: its texts, and its images as far as they are not too large. */
export function outputContent(output: unknown): ToolCallContent[] {
  const parts = listIn(output, 'content');
  const isMcp =
    parts.length > 0 && parts.every((part) => typeof ownProperty(part, 'type') === 'string');
  if (!isMcp) return textContent(plainText(output));
  const images: ToolCallContent[] = [];
  const texts: string[] = [];
  for (const part of parts) {
    const text = partText(part);
    const image = text === undefined && images.length < MAX_IMAGES ? imageOf(part) : undefined;
    if (image) images.push(image);
    else texts.push(text ?? `(${ownProperty(part, 'type')}: not shown)`);
  }
  return [...textContent(texts.join('\n')), ...images];
}

/** The file that a call is about, where an argument has its absolute path. */
export function locationsOf(given: unknown): ToolCallLocation[] {
  for (const key of ['path', 'file_path', 'filePath', 'file']) {
    const path = ownProperty(given, key);
    if (typeof path === 'string' && path.length < MAX_VALUE && isAbsolute(path)) return [{ path }];
  }
  return [];
}

function plainText(output: unknown): string {
  try {
    return outputText(output);
  } catch {
    return '(The result cannot be shown.)';
  }
}

function partText(part: unknown): string | undefined {
  const text = ownProperty(part, 'text') ?? ownProperty(ownProperty(part, 'resource'), 'text');
  if (typeof text === 'string') return text;
  const uri = ownProperty(part, 'uri');
  return ownProperty(part, 'type') === 'resource_link' && typeof uri === 'string' ? uri : undefined;
}

function imageOf(part: unknown): ToolCallContent | undefined {
  const [data, mimeType] = [ownProperty(part, 'data'), ownProperty(part, 'mimeType')];
  if (ownProperty(part, 'type') !== 'image') return;
  if (typeof data !== 'string' || typeof mimeType !== 'string' || data.length > MAX_IMAGE) return;
  return { type: 'content', content: { type: 'image', data, mimeType } };
}
