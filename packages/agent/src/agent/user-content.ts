import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import {
  bytesIn,
  formatNumber,
  isKnownType,
  isRecord,
  MAX_FILE,
  mediaTypeOf,
  ownProperty,
  plainLine,
} from '@toolfold/core/internal/values';
import type { FilePart, ImagePart, TextPart, UserContent } from 'ai';
import { fromBase64, toBase64 } from '../entries/index.ts';
import type { AgentContext } from '../loop/index.ts';

type UserPart = TextPart | ImagePart | FilePart;
type SentPart = TextPart | FilePart;
type Receiver = Pick<AgentContext, 'taken' | 'modelName'>;

/** Most bytes of all files of one message. */
const MAX_FILES = 4 * MAX_FILE;
/** Most characters of the name of a file. */
const MAX_NAME = 100;

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const DATA_URL = /^data:([^;,]*);base64,/;

/**
 * What is sent of a message of the user: texts, and files as base64. Files of text become texts. Throws `invalid-option`
 * for an empty message, for a file that is broken or too large, and for one that the model does not take.
 */
export function userContent(given: UserContent, receiver: Receiver): UserContent {
  if (!Array.isArray(given)) {
    requireText(given);
    return given;
  }
  const parts = given.flatMap((part): SentPart[] => {
    if (ownProperty(part, 'type') !== 'text') return [sentFile(part, receiver)];
    const { text } = part as TextPart;
    return typeof text === 'string' && text.trim() === '' ? [] : [part as TextPart];
  });
  if (parts.every(({ type }) => type === 'text'))
    requireText(parts.map((part) => ownProperty(part, 'text')).join('\n'));
  const size = parts.reduce((sum, part) => sum + sizeOf(part), 0);
  if (size > MAX_FILES) throw refused('The files of the message', tooLarge(size, MAX_FILES));
  return parts;
}

/** Throws `invalid-option` for an empty text: no provider accepts an empty message. */
export function requireText(text: unknown): void {
  if (typeof text === 'string' && text.trim() !== '') return;
  throw new ToolfoldError(
    'invalid-option',
    typeof text === 'string' ? 'The text is empty.' : 'The text is no string.',
    'Say what is wanted.',
  );
}

/** Throws unless the file is one that the model takes. */
function sentFile(part: UserPart, { taken, modelName }: Receiver): SentPart {
  const { name, data, mediaType, rest } = readFile(part);
  const label = name === undefined ? 'A file of the message' : plainLine(name, MAX_NAME);
  const file = (found: string, sent: FilePart['data']): FilePart => {
    if (taken && !taken.includes(found))
      throw new ToolfoldError(
        'invalid-option',
        `${label} is not sent: ${modelName} takes no ${plainLine(found, MAX_NAME)} in a message.`,
        found.startsWith('image/')
          ? `Use a model that sees images. If this one does, say so: models["${modelName}"].images = true.`
          : 'Send its text.',
      );
    return { ...rest, type: 'file', data: sent, mediaType: found };
  };
  const bytes = typeof data === 'string' ? bytesOf(data) : data;
  if (bytes === undefined) throw refused(label, 'is not sent: its data is no base64.');
  if (!(bytes instanceof Uint8Array)) return file(mediaType, bytes);
  if (bytes.length === 0) throw refused(label, 'is not sent: it is empty.');
  if (bytes.length > MAX_FILE) throw refused(label, tooLarge(bytes.length, MAX_FILE));
  if (mediaType.startsWith('text/'))
    return { type: 'text', text: `${label}:\n\n${new TextDecoder().decode(bytes)}` };
  const found = mediaTypeOf(bytes);
  const isImage = mediaType === 'image' || mediaType === 'image/*';
  if (found === undefined && (isImage || isKnownType(mediaType)))
    throw refused(label, `is not sent: its bytes are of no ${isImage ? 'image' : mediaType}.`);
  return file(found ?? mediaType, toBase64(bytes));
}

interface ReadFile {
  readonly name: string | undefined;
  /** Undefined data is no data. */
  readonly data: string | Uint8Array | FilePart['data'] | undefined;
  readonly mediaType: string;
  readonly rest: Pick<FilePart, 'filename' | 'providerOptions'>;
}

/** A part of the AI SDK in one form. */
function readFile(part: UserPart): ReadFile {
  const isFile = isRecord(part) && (part.type === 'image' || part.type === 'file');
  if (!isFile) throw refused('The message', 'has a part that is no text, image or file.');
  const given: unknown = part.type === 'image' ? part.image : part.data;
  const name = part.type === 'file' ? part.filename : undefined;
  const { providerOptions } = part;
  const rest = {
    ...(name === undefined ? {} : { filename: plainLine(name, MAX_NAME) }),
    ...(providerOptions === undefined ? {} : { providerOptions }),
  };
  const read = (data: ReadFile['data'], type = part.mediaType): ReadFile => {
    return { name, data, mediaType: type ?? 'image', rest };
  };
  const isTagged = ownProperty(given, 'type') === 'data';
  const data: unknown = isTagged ? ownProperty(given, 'data') : given;
  if (data instanceof Uint8Array) return read(data);
  if (data instanceof ArrayBuffer) return read(new Uint8Array(data));
  const text = data instanceof URL ? data.href : data;
  if (typeof text !== 'string') return read(data as FilePart['data']);
  const [start, type] = DATA_URL.exec(text) ?? [];
  if (start !== undefined) return read(text.slice(start.length), type || part.mediaType);
  return read(/^https?:/.test(text) ? new URL(text) : text);
}

/** Undefined if the text is no base64. */
function bytesOf(text: string): Uint8Array | undefined {
  const plain = text.replace(/\s/g, '');
  if (!BASE64.test(plain) || plain.length % 4 !== 0) return;
  if (bytesIn(plain) > MAX_FILE) return new Uint8Array(bytesIn(plain));
  return fromBase64(plain);
}

function sizeOf(part: SentPart): number {
  return part.type === 'file' && typeof part.data === 'string' ? bytesIn(part.data) : 0;
}

function tooLarge(size: number, most: number): string {
  return `is not sent: ${formatNumber(size)} bytes are more than ${formatNumber(most)}.`;
}

function refused(subject: string, problem: string): ToolfoldError {
  return new ToolfoldError(
    'invalid-option',
    `${subject} ${problem}`,
    'Send texts, images (PNG, JPEG, GIF, WebP) and PDFs.',
  );
}
