import type { Subject } from '../../host/index.ts';
import { isRecord, parsedJson } from '../../tools/values/index.ts';

/** The input of a call from the model, parsed once. */
export interface RawInput {
  readonly raw: string;
  /** The value that the SDK reads: any JSON; an empty object for blank text; the text if it is not JSON. */
  readonly value: unknown;
  /** What the model wrote: the object, or the text. Some providers encode such a text as a JSON string. */
  readonly written: unknown;
}

export function readRaw(raw: string): RawInput {
  const value = anyInput(raw);
  if (raw.trim() === '') return { raw, value, written: raw };
  const written = isRecord(value) || typeof value === 'string' ? value : raw;
  return { raw, value, written };
}

/** Reads an input in the same way as the SDK. */
export function anyInput(raw: string): unknown {
  if (raw.trim() === '') return {};
  const value = parsedJson(raw);
  // A text that is not JSON is the input of a custom tool.
  return value === undefined ? raw : value;
}

/** The text of an input that is not JSON; undefined for JSON. */
export function brokenText({ value }: RawInput): string | undefined {
  return typeof value === 'string' && typeof anyInput(value) === 'string' ? value : undefined;
}

/** A call for the SDK under the tool's own name, or wrapped in a call of the executor. */
export function asSdkCall(
  place: string,
  { name, input }: Subject,
): { name: string; given: unknown } {
  return { name: place, given: place === name ? input : { tool_name: name, arguments: input } };
}
