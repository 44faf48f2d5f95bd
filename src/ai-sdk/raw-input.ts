import type { Subject } from '../host/index.ts';
import { isRecord } from '../tools/json.ts';

/** A call under a name: its own, or the executor's. */
export function asTold(place: string, { name, input }: Subject): { name: string; input: string } {
  const given = place === name ? input : { tool_name: name, arguments: input };
  return { name: place, input: JSON.stringify(given) ?? '{}' };
}

/** The text of an input that is no JSON, or is a JSON text of such a text, as some providers give it. */
export function brokenText(raw: string): string | undefined {
  const text = anyInput(raw);
  return typeof text === 'string' && typeof anyInput(text) === 'string' ? text : undefined;
}

/** An input as the SDK reads it: JSON of any kind, blank text as an empty object, else the text. */
export function anyInput(raw: string): unknown {
  if (raw.trim() === '') return {};
  try {
    return JSON.parse(raw);
  } catch {
    // What is no JSON is the input of a custom tool, as text.
    return raw;
  }
}

/** What the model wrote: the object, else the text, which some providers give as a JSON text once more. */
export function writtenInput(raw: string): unknown {
  const value = raw.trim() === '' ? raw : anyInput(raw);
  return isRecord(value) || typeof value === 'string' ? value : raw;
}
