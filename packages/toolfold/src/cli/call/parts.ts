import { ownProperty } from '@toolfold/core/internal/tools/values';

/** Data for a file. */
export interface DataPart {
  readonly kind: 'data';
  /** Its kind, for people: `picture`, `audio` or `resource`. */
  readonly what: string;
  readonly mediaType: string | undefined;
  readonly base64: string;
}

/** A part of a result, as it is printed. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | DataPart
  | { readonly kind: 'unknown'; readonly type: string };

/** The parts of the `content` of a result. A link to a resource is a text: its address. */
export function partsOf(content: unknown): readonly Part[] {
  return Array.isArray(content) ? content.map(partOf) : [];
}

function partOf(content: unknown): Part {
  const type = textIn(content, 'type') ?? '';
  // The content of a resource is one level deeper.
  const holder = type === 'resource' ? ownProperty(content, 'resource') : content;
  const text = type === 'text' || type === 'resource' ? textIn(holder, 'text') : undefined;
  if (text !== undefined) return { kind: 'text', text };
  const uri = type === 'resource_link' ? textIn(content, 'uri') : undefined;
  if (uri !== undefined) return { kind: 'text', text: `${uri}\n` };
  const isData = type === 'image' || type === 'audio' || type === 'resource';
  const base64 = isData ? textIn(holder, type === 'resource' ? 'blob' : 'data') : undefined;
  if (base64 === undefined) return { kind: 'unknown', type };
  const what = type === 'image' ? 'picture' : type;
  return { kind: 'data', what, mediaType: textIn(holder, 'mimeType'), base64 };
}

function textIn(record: unknown, name: string): string | undefined {
  const value = ownProperty(record, name);
  return typeof value === 'string' ? value : undefined;
}
