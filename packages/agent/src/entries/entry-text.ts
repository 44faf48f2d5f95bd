import { fileLine, ownProperties, ownProperty, plainLine } from '@toolfold/core/internal/values';
import { restored } from './plain.ts';

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
 * `marks`, files stand in it as lines with their size.
 */
export function entryText(
  { kind, body }: { readonly kind: string; readonly body: unknown },
  { marks = false }: { readonly marks?: boolean } = {},
): string | undefined {
  switch (kind) {
    case 'user':
      return messageText(ownProperty(body, 'message'), { marks });
    case 'model':
      return contentText(ownProperty(body, 'content'), marks);
    case 'label':
      return textIn(body, 'text');
    default:
      return;
  }
}

/** The words of a message. With `marks`, files stand in it as lines with their size. */
export function messageText(
  message: unknown,
  { marks = true }: { readonly marks?: boolean } = {},
): string {
  return contentText(ownProperty(message, 'content'), marks);
}

function contentText(content: unknown, marks: boolean): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.flatMap((part) => partText(part, marks)).join('\n');
}

/** Most characters of the name of a file. */
const MAX_NAME = 100;

function partText(part: unknown, marks: boolean): string[] {
  const { type, text, mediaType, filename, data: given, image } = ownProperties(part);
  if (type === 'text') return [typeof text === 'string' ? text : ''];
  if (!marks || (type !== 'file' && type !== 'image')) return [];
  const kind = typeof mediaType === 'string' ? mediaType : type;
  const name = typeof filename === 'string' ? plainLine(filename, MAX_NAME) : '';
  const data = restored(ownProperty(given, 'data') ?? given ?? image);
  if (typeof data === 'string' || data instanceof Uint8Array) return [fileLine(kind, data, name)];
  return [name === '' ? `[${kind}]` : `[${kind}: ${name}]`];
}
