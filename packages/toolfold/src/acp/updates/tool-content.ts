import { isAbsolute } from 'node:path';
import type { ToolCallContent, ToolCallLocation } from '@agentclientprotocol/sdk';
import { ownProperty } from '@toolfold/core/internal/tools/values';
import { type FileChange, MOST_SHOWN } from '../../app/changes/index.ts';
import {
  beginning,
  MAX_SHOWN,
  type ShownPart,
  shownParts,
  textOfParts,
} from '../../app/shown/index.ts';

/** Most characters of an image in base64. Larger images are named and not sent. */
export const MAX_IMAGE = 1_000_000;
/** Most images of one result. */
const MAX_IMAGES = 8;

/** A text as the content of a tool call. Empty for an empty text. */
export function textContent(text: string): ToolCallContent[] {
  return contentOf(beginning(text, MAX_SHOWN));
}

/** The result of a tool for people: its texts, and its images as far as they are not too large. */
export function outputContent(output: unknown): ToolCallContent[] {
  const images: ToolCallContent[] = [];
  const others: ShownPart[] = [];
  for (const part of shownParts(output)) {
    const isSent =
      part.type === 'image' && part.data.length <= MAX_IMAGE && images.length < MAX_IMAGES;
    if (isSent) images.push({ type: 'content', content: part });
    else others.push(part);
  }
  return [...contentOf(textOfParts(others)), ...images];
}

/** The file that a call is about, where an argument has its absolute path. */
export function locationsOf(given: unknown): ToolCallLocation[] {
  for (const key of ['path', 'file_path', 'filePath', 'file']) {
    const path = ownProperty(given, key);
    if (typeof path === 'string' && path.length < MAX_SHOWN && isAbsolute(path)) return [{ path }];
  }
  return [];
}

function contentOf(text: string): ToolCallContent[] {
  return text === '' ? [] : [{ type: 'content', content: { type: 'text', text } }];
}

/** Most parts of a change that are shown. */
const MAX_PARTS = 50;

/** What a call changes in a file, where the protocol can show it: its absolute path, and the texts before. */
export function diffContent(change: FileChange | undefined): ToolCallContent[] {
  if (!change || !isAbsolute(change.path) || change.parts.length > MAX_PARTS) return [];
  const { path, parts } = change;
  const size = parts.reduce((sum, { before = '', after }) => sum + before.length + after.length, 0);
  if (size > MOST_SHOWN) return [];
  return parts.flatMap(({ before, after }): ToolCallContent[] =>
    before === undefined ? [] : [{ type: 'diff', path, oldText: before, newText: after }],
  );
}
