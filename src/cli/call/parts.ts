import { ownProperty } from '../../tools/values/index.ts';

/** What the data of a type of content is called. */
const WHAT: ReadonlyMap<string, 'picture' | 'audio' | 'resource'> = new Map([
  ['image', 'picture'],
  ['audio', 'audio'],
  ['resource', 'resource'],
]);

/** A part of a result, as it is printed. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  /** Data for a file. `what` names its kind. */
  | {
      readonly kind: 'data';
      readonly what: 'picture' | 'audio' | 'resource';
      readonly mediaType: string | undefined;
      readonly base64: string;
    }
  | { readonly kind: 'unknown'; readonly type: string };

/** The parts of the `content` of a result. A link to a resource is a text: its address. */
export function partsOf(content: unknown): readonly Part[] {
  return Array.isArray(content) ? content.map(partOf) : [];
}

function partOf(content: unknown): Part {
  const type = textIn(content, 'type') ?? '';
  // The content of a resource is one level deeper.
  const holder = type === 'resource' ? ownProperty(content, 'resource') : content;
  const mediaType = textIn(holder, 'mimeType');
  const what = WHAT.get(type);
  const base64 = what && textIn(holder, type === 'resource' ? 'blob' : 'data');
  const text = type === 'text' || type === 'resource' ? textIn(holder, 'text') : undefined;
  const uri = type === 'resource_link' ? textIn(content, 'uri') : undefined;
  if (text !== undefined) return { kind: 'text', text };
  if (uri !== undefined) return { kind: 'text', text: `${uri}\n` };
  if (what && base64 !== undefined) return { kind: 'data', what, mediaType, base64 };
  return { kind: 'unknown', type };
}

function textIn(record: unknown, name: string): string | undefined {
  const value = ownProperty(record, name);
  return typeof value === 'string' ? value : undefined;
}
