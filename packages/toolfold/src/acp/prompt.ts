import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type {
  AvailableCommand,
  ContentBlock,
  EmbeddedResourceResource,
} from '@agentclientprotocol/sdk';
import { formatCount, isKnownType } from '@toolfold/core/internal/values';
import { backticks, type MessageFile } from '../terminal/index.ts';
import { invalidParams } from './refusals.ts';

/** What the user says about a call whose outcome is unknown. */
export interface UnknownCallDecision {
  readonly name: 'again' | 'happened';
  /** The id of the call. */
  readonly id: string;
}

/** What a prompt can ask of the agent itself. */
export type SessionCommand =
  | { readonly name: 'continue' | 'compact' | 'context' | 'fork' }
  | { readonly name: 'rename'; readonly title: string }
  | UnknownCallDecision;

/** The commands that an editor offers. */
export const COMMANDS: readonly (AvailableCommand & { readonly name: SessionCommand['name'] })[] = [
  {
    name: 'continue',
    description: 'Go on with a turn that was cancelled, failed or interrupted',
  },
  {
    name: 'compact',
    description: 'Replace the earlier part of the conversation by a summary',
  },
  {
    name: 'context',
    description: 'Say how many tokens of tools the next request will hold',
  },
  {
    name: 'fork',
    description: 'Put a copy of this session into the list of sessions',
  },
  {
    name: 'rename',
    description: 'Give this session another title',
    input: { hint: 'The title' },
  },
  {
    name: 'again',
    description: 'Run an interrupted call again whose outcome is unknown',
    input: { hint: 'ID of the call' },
  },
  {
    name: 'happened',
    description: 'Say that an interrupted call has taken effect',
    input: { hint: 'ID of the call' },
  },
];

/** The command that a prompt consists of. Undefined for any other text. */
export function commandIn(text: string): SessionCommand | undefined {
  const [, name, rest = ''] = /^\/(\w+)(?:\s+(.*))?$/.exec(text.trim()) ?? [];
  switch (name) {
    case 'rename':
      return { name, title: rest };
    case 'again':
    case 'happened':
      return /\s/.test(rest) ? undefined : { name, id: rest };
    case 'continue':
    case 'compact':
    case 'context':
    case 'fork':
      return rest === '' ? { name } : undefined;
    default:
      return;
  }
}

/** What a prompt says. */
export interface PromptContent {
  readonly text: string;
  /** Images and PDFs. */
  readonly files: readonly MessageFile[];
}

/**
 * The texts of a prompt, the paths of files that the editor links, the texts of files that it sends, and its images.
 * Throws an invalid parameter for sounds, and if nothing is said.
 */
export function promptContent(blocks: readonly ContentBlock[]): PromptContent {
  const files = blocks.flatMap(fileOf);
  const parts = blocks.map(textOf).filter((text) => text.trim() !== '');
  if (parts.length + files.length === 0)
    throw invalidParams('The prompt is empty. Send a text or an image.');
  return { text: parts.join('\n\n'), files };
}

/** The image or PDF in a block. */
function fileOf(block: ContentBlock): MessageFile[] {
  if (block.type === 'image') return [fileFrom(block.data, block.mimeType, block.uri)];
  if (block.type !== 'resource' || !('blob' in block.resource)) return [];
  const { blob, mimeType, uri } = block.resource;
  return isKnownType(mimeType ?? '') ? [fileFrom(blob, mimeType ?? '', uri)] : [];
}

function fileFrom(data: string, mediaType: string, uri: string | null | undefined): MessageFile {
  const name = basename(placeOf(uri ?? ''));
  return { type: 'file', data, mediaType, ...(name === '' ? {} : { filename: name }) };
}

function textOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource_link': {
      const { name, title, uri } = block;
      return `${title ?? name}: ${placeOf(uri)}`;
    }
    case 'image':
      return '';
    case 'resource':
      return resourceText(block.resource);
    default:
      throw invalidParams(
        `The prompt has content of the type "${block.type}". Only text, image, resource_link and resource are accepted.`,
      );
  }
}

function resourceText(resource: EmbeddedResourceResource): string {
  const place = placeOf(resource.uri);
  if ('text' in resource) return `${place}:\n${fenced(resource.text)}`;
  if (isKnownType(resource.mimeType ?? '')) return place;
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
