import { fileURLToPath } from 'node:url';
import type { ContentBlock, EmbeddedResourceResource } from '@agentclientprotocol/sdk';
import { backticks } from '../../app/shown/index.ts';
import { formatCount } from '../../app/terminal/index.ts';
import { invalidParams } from '../refusals/index.ts';

/**
 * The text of a prompt: its texts, the paths of files that the editor links, and the texts of files that it
 * sends. Throws an invalid parameter for images and sounds, and if nothing is said.
 */
export function promptText(blocks: readonly ContentBlock[]): string {
  const parts = blocks.map(textOf).filter((text) => text.trim() !== '');
  if (parts.length === 0) throw invalidParams('The prompt is empty. Send a text.');
  return parts.join('\n\n');
}

function textOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource_link': {
      const { name, title, uri } = block;
      return `${title ?? name}: ${placeOf(uri)}`;
    }
    case 'resource':
      return resourceText(block.resource);
    default:
      throw invalidParams(
        `The prompt has content of the type "${block.type}". Only text, resource_link and resource are accepted.`,
      );
  }
}

function resourceText(resource: EmbeddedResourceResource): string {
  const place = placeOf(resource.uri);
  if ('text' in resource) return `${place}:\n${fenced(resource.text)}`;
  const size = formatCount(Math.floor((resource.blob.length * 3) / 4), 'byte');
  const type = resource.mimeType ?? 'unknown type';
  return `${place}: not shown, because it is no text (${type}, about ${size})`;
}

/** The path of a file; other addresses as they are. */
function placeOf(uri: string): string {
  try {
    const url = new URL(uri);
    return url.protocol === 'file:'
      ? `${fileURLToPath(url.href.split('#')[0] ?? '')}${url.hash}`
      : uri;
  } catch {
    return uri;
  }
}

/** A text between fences that are longer than any in it. */
function fenced(text: string): string {
  const fence = backticks(text, 3);
  return `${fence}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
}
