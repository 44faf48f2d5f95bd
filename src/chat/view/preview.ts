import { isRecord, ownProperty } from '../../tools/values/index.ts';

/** Most characters of a preview, and most members of one list or object in it. */
const MOST_CHARACTERS = 20_000;
const MOST_MEMBERS = 100;
/** Levels of a preview, and most values in it. */
const MOST_LEVELS = 12;
const MOST_VALUES = 5_000;

/**
 * A value as text, for people: a string as it is, the texts of an MCP result, else JSON. What is very
 * large is cut before it becomes text, because the whole could take seconds. Plain data never throws.
 */
export function previewOf(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, MOST_CHARACTERS);
  const content = ownProperty(value, 'content');
  const isMcp = Array.isArray(content) && content.length > 0 && content.every(isRecord);
  return isMcp ? contentText(content) : jsonOf(value, 2);
}

/** The arguments of a call in one line. Plain data never throws. */
export function argumentsOf(value: unknown): string {
  if (!isRecord(value)) return jsonOf(value);
  const room = { values: MOST_VALUES, characters: MOST_CHARACTERS };
  const plain = shortened(value, MOST_LEVELS, room) as Readonly<Record<string, unknown>>;
  return Object.entries(plain)
    .map(([name, one]) => `${name}: ${typeof one === 'string' ? one : JSON.stringify(one)}`)
    .join(', ');
}

/** The parts of an MCP result: texts, and a word for each image, sound or resource. */
function contentText(content: readonly Readonly<Record<string, unknown>>[]): string {
  return content
    .slice(0, MOST_MEMBERS)
    .map((part) => {
      const { type, text } = { type: ownProperty(part, 'type'), text: ownProperty(part, 'text') };
      if (typeof text === 'string') return text.slice(0, MOST_CHARACTERS);
      return `[${typeof type === 'string' ? type.slice(0, MOST_MEMBERS) : 'unknown'}]`;
    })
    .join('\n')
    .slice(0, MOST_CHARACTERS);
}

function jsonOf(value: unknown, indent?: number): string {
  const room = { values: MOST_VALUES, characters: MOST_CHARACTERS };
  return JSON.stringify(shortened(value, MOST_LEVELS, room), undefined, indent) ?? '';
}

/** What is left for a preview. */
interface Room {
  values: number;
  characters: number;
}

/** A copy of plain data that fits into the room. What does not fit is an ellipsis. */
function shortened(value: unknown, levels: number, room: Room): unknown {
  room.values -= 1;
  if (typeof value === 'string') return shortText(value, room);
  if (typeof value === 'bigint') return shortText(String(value), room);
  if (typeof value !== 'object' || value === null)
    return typeof value === 'function' ? undefined : value;
  if (levels === 0 || room.values <= 0) return '…';
  if (Array.isArray(value))
    return value.slice(0, MOST_MEMBERS).map((one) => shortened(one, levels - 1, room));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MOST_MEMBERS)
      .map(([name, one]) => [shortText(name, room), shortened(one, levels - 1, room)]),
  );
}

function shortText(text: string, room: Room): string {
  const short = text.slice(0, Math.max(0, room.characters));
  room.characters -= short.length;
  return short.length < text.length ? `${short}…` : text;
}
