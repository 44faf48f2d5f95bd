import { beginning } from '../../agent/transcript/index.ts';
import { isRecord, MAX_NESTING, measureNesting } from '../../tools/values/index.ts';

/** Most characters of the JSON of a value, and of one text, in an update. */
export const MAX_VALUE = 20_000;

/** A text of an update, cut to `MAX_VALUE` characters. It says how many are missing. */
export function boundedText(text: string, limit: number = MAX_VALUE): string {
  return beginning(text, limit);
}

/**
 * A JSON value that is small enough for an update. A larger value becomes the beginning of its JSON, and a
 * value that is nested too deeply becomes a text that says so.
 */
export function boundedValue(value: unknown, limit: number = MAX_VALUE): unknown {
  const { depth, size } = measureNesting(value, MAX_NESTING, limit * 2);
  if (depth > MAX_NESTING) return 'The value is nested too deeply to be shown.';
  const json = jsonOf(value);
  if (json === undefined) return isRecord(value) ? 'The value cannot be shown.' : String(value);
  if (size <= limit && json.length <= limit) return JSON.parse(json);
  return boundedText(json, limit);
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // Circular, or a bigint.
    return;
  }
}
