import { isRecord, own } from '../../../tools/values/index.ts';

/** Most characters of one string and most members of one list or object in a preview. */
const MOST_CHARACTERS = 20_000;
const MOST_MEMBERS = 100;
/** Levels of a preview. */
const MOST_LEVELS = 12;

/**
 * A value as text, for people: a string as it is, the texts of an MCP result, else JSON. What is very
 * large is cut before it becomes text, because the whole could take seconds.
 */
export function previewOf(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, MOST_CHARACTERS);
  const content = own(value, 'content');
  if (Array.isArray(content) && content.every(isRecord)) {
    return content
      .slice(0, MOST_MEMBERS)
      .map((part) => {
        const text = own(part, 'text');
        return typeof text === 'string'
          ? text.slice(0, MOST_CHARACTERS)
          : `[${String(own(part, 'type'))}]`;
      })
      .join('\n');
  }
  return JSON.stringify(shortened(value, MOST_LEVELS), undefined, 2) ?? '';
}

/** The arguments of a call in one line. */
export function argumentsOf(value: unknown): string {
  if (!isRecord(value)) return JSON.stringify(shortened(value, MOST_LEVELS)) ?? '';
  return Object.entries(value)
    .slice(0, MOST_MEMBERS)
    .map(([name, one]) => {
      const text = typeof one === 'string' ? one.slice(0, MOST_CHARACTERS) : undefined;
      return `${name}: ${text ?? JSON.stringify(shortened(one, MOST_LEVELS))}`;
    })
    .join(', ');
}

function shortened(value: unknown, levels: number): unknown {
  if (typeof value === 'string') return value.slice(0, MOST_CHARACTERS);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return '…';
  if (Array.isArray(value))
    return value.slice(0, MOST_MEMBERS).map((one) => shortened(one, levels - 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MOST_MEMBERS)
      .map(([name, one]) => [name, shortened(one, levels - 1)]),
  );
}
