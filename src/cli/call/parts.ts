import { ownProperty } from '../../tools/values/index.ts';

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
  const textOf = (name: string, of: unknown = content): string | undefined => {
    const value = ownProperty(of, name);
    return typeof value === 'string' ? value : undefined;
  };
  const type = textOf('type') ?? '';
  const [text, data, uri, mediaType] = ['text', 'data', 'uri', 'mimeType'].map((name) =>
    textOf(name),
  );
  if (type === 'text' && text !== undefined) return { kind: 'text', text };
  if (type === 'resource_link' && uri !== undefined) return { kind: 'text', text: `${uri}\n` };
  if ((type === 'image' || type === 'audio') && data !== undefined) {
    return { kind: 'data', what: type === 'image' ? 'picture' : 'audio', mediaType, base64: data };
  }
  if (type === 'resource') {
    const resource = ownProperty(content, 'resource');
    const written = textOf('text', resource);
    const blob = textOf('blob', resource);
    if (written !== undefined) return { kind: 'text', text: written };
    if (blob !== undefined) {
      return {
        kind: 'data',
        what: 'resource',
        mediaType: textOf('mimeType', resource),
        base64: blob,
      };
    }
  }
  return { kind: 'unknown', type };
}
