import type { ContentBlock } from '@agentclientprotocol/sdk';
import { messageText } from '@toolfold/agent/internal/agent/entries';
import { ownProperty } from '@toolfold/core/internal/tools/values';
import { MAX_IMAGE } from './tool-content.ts';

/**
 * What a message of the user says, as an editor sends it: texts, images, and other files as resources. Undefined for a message without
 * files. A line stands in the place of a large file.
 */
export function userBlocks(message: unknown): readonly ContentBlock[] | undefined {
  const content = ownProperty(message, 'content');
  if (!Array.isArray(content)) return;
  const blocks = content.map(blockOf);
  return blocks.some(({ type }) => type !== 'text') ? blocks : undefined;
}

function blockOf(part: unknown): ContentBlock {
  const [data, mimeType, name] = ['data', 'mediaType', 'filename'].map((key) =>
    ownProperty(part, key),
  );
  const text = messageText({ content: [part] });
  if (typeof data !== 'string' || typeof mimeType !== 'string' || data.length > MAX_IMAGE)
    return { type: 'text', text };
  const uri = typeof name === 'string' ? { uri: name } : {};
  if (mimeType.startsWith('image/')) return { type: 'image', data, mimeType, ...uri };
  const resource = { blob: data, mimeType, uri: typeof name === 'string' ? name : 'file' };
  return { type: 'resource', resource };
}
