import { ownProperties, ownProperty } from '../../tools/values/index.ts';

/** Why a prefix is new after a compaction. */
export const COMPACTED = 'the conversation was compacted';

/** What a reader sees in the place of lost entries. */
export const LOST =
  'Damage of the file has destroyed what was here. The session can be read, not continued.';

/** A text of a body; undefined if there is none. Imported entries may hold anything. */
export function textIn(body: unknown, key: string): string | undefined {
  const text = ownProperty(body, key);
  return typeof text === 'string' ? text : undefined;
}

/** The texts of a body that are there. */
export function textsIn<KEY extends string>(
  body: unknown,
  ...keys: readonly KEY[]
): { readonly [NAME in KEY]?: string } {
  const texts = keys.map((key) => [key, textIn(body, key)]);
  return Object.fromEntries(texts.filter(([, text]) => text !== undefined));
}

/**
 * The words of the user, of the model or of a label in an entry; undefined for other entries. With
 * `marks`, files stand in it as marks such as `[image/png]`.
 */
export function entryText(
  { kind, body }: { readonly kind: string; readonly body: unknown },
  { marks = false }: { readonly marks?: boolean } = {},
): string | undefined {
  switch (kind) {
    case 'user':
      return contentText(ownProperty(ownProperty(body, 'message'), 'content'), marks);
    case 'model':
      return contentText(ownProperty(body, 'content'), marks);
    case 'label':
      return textIn(body, 'text');
    default:
      return;
  }
}

function contentText(content: unknown, marks: boolean): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.flatMap((part) => partText(part, marks)).join('\n');
}

function partText(part: unknown, marks: boolean): string[] {
  const { type, text, mediaType } = ownProperties(part);
  if (type === 'text') return [typeof text === 'string' ? text : ''];
  if (!marks || (type !== 'file' && type !== 'image')) return [];
  return [`[${typeof mediaType === 'string' ? mediaType : type}]`];
}
