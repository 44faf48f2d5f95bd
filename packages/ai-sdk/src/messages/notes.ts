import { KEY } from '@toolfold/core/internal/host';
import { type Note, readNote } from '@toolfold/core/internal/transcript';
import {
  isRecord,
  type JsonValue,
  ownProperties,
  ownProperty,
} from '@toolfold/core/internal/values';
import type {
  JSONObject,
  LanguageModelV4Content,
  LanguageModelV4CustomContent,
  LanguageModelV4ToolResultOutput,
  SharedV4FileData,
  SharedV4ProviderOptions,
} from '../protocol/index.ts';

/** The kind of the custom content part that carries notes in messages. */
export const NOTE_KIND = 'toolfold.note';

/** The note that a response carries beside its content. */
export interface ResponseNote extends Note {
  /**
   * Error texts of the tool results that this response answers, by call id. An app's `onError` may
   * redact them in UI messages, but later requests must contain the same bytes as before.
   */
  readonly errors?: Readonly<Record<string, string>>;
  /**
   * Outputs of `toModelOutput` for the tool results that this response answers, by call id. The tool
   * may be missing when the messages are converted again.
   */
  readonly outputs?: Readonly<Record<string, LanguageModelV4ToolResultOutput>>;
}

export function notePart(note: ResponseNote): LanguageModelV4CustomContent {
  const metadata = { [KEY]: note as JSONObject };
  return { type: 'custom', kind: NOTE_KIND, providerMetadata: metadata };
}

export function isNotePart<PART extends { type: string }>(
  part: PART,
): part is Extract<PART, { type: 'custom' }> {
  return part.type === 'custom' && 'kind' in part && part.kind === NOTE_KIND;
}

/** Reads the note of a part. Members of a wrong shape are left out. */
export function readResponseNote(
  options: SharedV4ProviderOptions | undefined,
): ResponseNote | undefined {
  const note = ownProperty(options, KEY);
  if (!isRecord(note)) return;
  const { errors, outputs } = ownProperties(note);
  const beside = {
    ...(isRecord(errors) ? { errors: readEach(errors, asString) } : {}),
    ...(isRecord(outputs) ? { outputs: readEach(outputs, readOutput) } : {}),
  };
  return Object.assign(readNote(note), beside);
}

function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The members that can be read. */
function readEach<T>(
  record: Record<string, unknown>,
  read: (value: unknown) => T | undefined,
): Record<string, T> {
  const members = Object.entries(record).flatMap(([id, value]) => {
    const found = read(value);
    return found === undefined ? [] : [[id, found] as const];
  });
  return Object.fromEntries(members);
}

type TextContent = Extract<LanguageModelV4Content, { type: 'text' }>;

/** The kind of the custom content part that carries a text which is not part of the answer's text. */
const TEXT_KIND = 'toolfold.text';

/** The text as a part that messages keep and the SDK does not count as text. */
export function keptText({ text, providerMetadata }: TextContent): LanguageModelV4CustomContent {
  const metadata = { ...providerMetadata, [KEY]: { text } };
  return { type: 'custom', kind: TEXT_KIND, providerMetadata: metadata };
}

interface TextPart {
  readonly type: 'text';
  readonly text: string;
  readonly providerOptions?: SharedV4ProviderOptions;
}

/** The text part that was kept as this part, as requests contain it; undefined for every other part. */
export function readKeptText(part: {
  readonly type: string;
  readonly kind?: string;
  readonly providerOptions?: SharedV4ProviderOptions | undefined;
}): TextPart | undefined {
  if (part.type !== 'custom' || part.kind !== TEXT_KIND) return;
  const { [KEY]: own, ...options } = part.providerOptions ?? {};
  const text = ownProperty(own, 'text');
  if (typeof text !== 'string') return;
  const more = Object.keys(options).length > 0 ? { providerOptions: options } : {};
  return { type: 'text', text, ...more };
}

type Output = LanguageModelV4ToolResultOutput;
type OutputPart = Extract<Output, { type: 'content' }>['value'][number];
type ProviderOptions = NonNullable<OutputPart['providerOptions']>;

/**
 * Reads a stored tool output from messages; undefined if it is not a valid output. A browser may hold
 * the messages, so the output has no more authority than any other tool result.
 */
export function readOutput(value: unknown): Output | undefined {
  const { type, value: given, providerOptions } = ownProperties(value);
  const options = optionsOf(providerOptions);
  switch (type) {
    case 'text':
    case 'error-text':
      return typeof given === 'string' ? { type, value: given, ...options } : undefined;
    case 'json':
    case 'error-json':
      return given === undefined ? undefined : { type, value: given as JsonValue, ...options };
    case 'content': {
      const parts = Array.isArray(given) ? given.map(readPart) : [];
      const read = parts.filter((part) => part !== undefined);
      const isWhole = Array.isArray(given) && read.length === given.length;
      return isWhole ? { type, value: read, ...options } : undefined;
    }
    default:
      return;
  }
}

function readPart(value: unknown): OutputPart | undefined {
  const { type, text, data: given, mediaType, filename, providerOptions } = ownProperties(value);
  const options = optionsOf(providerOptions);
  if (type === 'text' && typeof text === 'string') return { type, text, ...options };
  if (type === 'custom') return { type, ...options };
  const data = readFileData(given);
  if (type !== 'file' || !data || typeof mediaType !== 'string') return;
  return {
    type,
    data,
    mediaType,
    ...(typeof filename === 'string' ? { filename } : {}),
    ...options,
  };
}

function readFileData(value: unknown): SharedV4FileData | undefined {
  const { type, data, url, text, reference } = ownProperties(value);
  if (type === 'data' && (typeof data === 'string' || data instanceof Uint8Array))
    return { type, data };
  if (type === 'text' && typeof text === 'string') return { type, text };
  if (type === 'url' && (typeof url === 'string' || url instanceof URL)) {
    // After a round trip through JSON the URL is a string.
    const read = URL.parse(url);
    return read ? { type, url: read } : undefined;
  }
  const isReference =
    isRecord(reference) && Object.values(reference).every((id) => typeof id === 'string');
  return type === 'reference' && isReference
    ? { type, reference: reference as Record<string, string> }
    : undefined;
}

function optionsOf(options: unknown): { providerOptions?: ProviderOptions } {
  return isRecord(options) && Object.values(options).every(isRecord)
    ? { providerOptions: options as ProviderOptions }
    : {};
}
