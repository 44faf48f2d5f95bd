import type { Subject } from '../../host/index.ts';
import { isRecord } from '../../tools/values/index.ts';

/** The input of a call from the model, parsed once. */
export interface RawInput {
  readonly raw: string;
  /** As the SDK reads it: JSON of any kind, blank text as an empty object, else the text. */
  readonly value: unknown;
  /** What the model wrote: the object, else the text, which some providers give as a JSON text once more. */
  readonly written: unknown;
}

export function readRaw(raw: string): RawInput {
  const value = anyInput(raw);
  if (raw.trim() === '') return { raw, value, written: raw };
  const written = isRecord(value) || typeof value === 'string' ? value : raw;
  return { raw, value, written };
}

/** An input as the SDK reads it. */
export function anyInput(raw: string): unknown {
  if (raw.trim() === '') return {};
  try {
    return JSON.parse(raw);
  } catch {
    // What is no JSON is the input of a custom tool, as text.
    return raw;
  }
}

/** The text of an input that is no JSON. */
export function brokenText({ value }: RawInput): string | undefined {
  return typeof value === 'string' && typeof anyInput(value) === 'string' ? value : undefined;
}

/** A call under a name: its own, or the executor's. */
export function asSdkCall(
  place: string,
  { name, input }: Subject,
): { name: string; given: unknown } {
  return { name: place, given: place === name ? input : { tool_name: name, arguments: input } };
}

/** A value as JSON has it; undefined where JSON cannot. */
export function asJson(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value) ?? 'null');
  } catch {
    return;
  }
}
