import { isRecord, type JsonValue, ownProperties } from '@toolfold/core/internal/tools/values';
import type { LanguageModelV4ToolResultOutput, SharedV4FileData } from '../protocol/index.ts';

type Output = LanguageModelV4ToolResultOutput;
type Part = Extract<Output, { type: 'content' }>['value'][number];
type Options = NonNullable<Part['providerOptions']>;

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

function readPart(value: unknown): Part | undefined {
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

function optionsOf(options: unknown): { providerOptions?: Options } {
  return isRecord(options) && Object.values(options).every(isRecord)
    ? { providerOptions: options as Options }
    : {};
}
