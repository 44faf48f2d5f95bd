import type { ResolvedCall } from '@toolfold/core/internal/host';
import { inexactNumber, isRecord, parsedJson } from '@toolfold/core/internal/tools/values';

/** The input of a call from the model, parsed once. */
export interface RawInput {
  readonly raw: string;
  /** The value that the SDK reads: any JSON; an empty object for blank text; the text if it is not JSON. */
  readonly value: unknown;
  /**
   * What the model wrote: the object, or the text. Some providers encode such a text as a JSON string. Also the text of
   * an object with a number that cannot be read exactly.
   */
  readonly written: unknown;
}

export function readRaw(raw: string): RawInput {
  const value = anyInput(raw);
  if (raw.trim() === '' || inexactNumber(raw) !== undefined) return { raw, value, written: raw };
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

/** The input of a bridge tool: an object for the SDK, and what the bridge reads. */
export interface BridgeInput {
  readonly given: Record<string, unknown>;
  /** The object, or what the model wrote if that is none. */
  readonly read: unknown;
  readonly isReadable: boolean;
}

/** Reads the input of a bridge tool. `text`: the input without what the provider wraps around it. */
export function readBridgeInput(input: RawInput, text: string = input.raw): BridgeInput {
  const written = text === input.raw ? input.written : anyInput(text);
  const given = isRecord(written) ? written : {};
  const isReadable = isRecord(written) || text.trim() === '';
  return { given, read: isReadable ? given : written, isReadable };
}

/** The input for the SDK of a call under the tool's own name, or wrapped in a call of the executor. */
export function inputUnder(place: string, { name, input }: ResolvedCall): unknown {
  return place === name ? input : { tool_name: name, arguments: input };
}
