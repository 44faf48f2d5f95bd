import {
  formatNumber,
  isRecord,
  listIn,
  MAX_NESTING,
  measureNesting,
  ownProperties,
  ownProperty,
  parsedJson,
} from '@toolfold/core/internal/values';

/** Most characters of a value that is shown. */
export const MAX_SHOWN = 20_000;
/** Most members of one list or object in it, and most parts of a result. */
const MOST_MEMBERS = 100;
/** Levels of a value, and most values in it. */
const MOST_LEVELS = 12;
const MOST_VALUES = 5_000;

/** A part of what a tool has returned. `other` is only named, such as `audio`. */
export type ShownPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'other'; readonly name: string };

/** What a tool has returned: the parts of an MCP result, else one text. Plain data never throws. */
export function shownParts(output: unknown): readonly ShownPart[] {
  const parts = listIn(output, 'content');
  const isMcp =
    parts.length > 0 && parts.every((part) => typeof ownProperty(part, 'type') === 'string');
  if (!isMcp) return [{ type: 'text', text: plainText(output) }];
  const rest = parts.length - MOST_MEMBERS;
  const shown = parts.slice(0, MOST_MEMBERS).map(partOf);
  return rest > 0 ? [...shown, { type: 'text', text: moreText(rest) }] : shown;
}

/** Parts as one text of at most `limit` characters, which says how many are missing. */
export function textOfParts(parts: readonly ShownPart[], limit: number = MAX_SHOWN): string {
  const texts = parts.map((part) => {
    if (part.type === 'text') return part.text;
    return `[${part.type === 'other' ? part.name : part.type}]`;
  });
  const length = texts.reduce((sum, text) => sum + text.length + 1, -1);
  return beginning(texts.map((text) => text.slice(0, limit + 1)).join('\n'), limit, length);
}

/**
 * The beginning of a text. The number of missing characters is shown. `length`: that of the whole, if `text` is only
 * a part of it that is longer than the limit.
 */
export function beginning(text: string, limit: number, length: number = text.length): string {
  if (length <= limit) return text;
  const begin = text
    .slice(0, limit)
    .toWellFormed()
    .replace(/\uFFFD$/, '');
  return `${begin}\n… (+${formatNumber(length - begin.length)} characters)`;
}

/** A value as text: see `shownParts`. */
export function shownText(value: unknown, limit?: number): string {
  return textOfParts(shownParts(value), limit);
}

/** What a refusal says that is written as JSON for the model. Other texts stay as they are. */
export function refusalWords(text: string): string {
  if (!text.startsWith('{"error":')) return text;
  const { message, problems } = ownProperties(parsedJson(text));
  if (typeof message !== 'string') return text;
  return [message, ...(Array.isArray(problems) ? problems.map(String) : [])].join('\n');
}

/** The arguments of a call in one line. Plain data never throws. */
export function shownArguments(value: unknown): string {
  const plain = shortened(value);
  if (!isRecord(plain)) return JSON.stringify(plain) ?? '';
  return Object.entries(plain)
    .map(([name, one]) => `${name}: ${typeof one === 'string' ? one : JSON.stringify(one)}`)
    .join(', ');
}

/** A copy of plain data that is small enough to be sent, else its text. */
export function shownValue(value: unknown): unknown {
  const { depth, size } = measureNesting(value, MAX_NESTING, MAX_SHOWN * 2);
  const json = depth > MAX_NESTING || size > MAX_SHOWN ? undefined : jsonOf(value);
  return json === undefined || json.length > MAX_SHOWN
    ? textOfParts([{ type: 'text', text: plainText(value) }])
    : JSON.parse(json);
}

function partOf(part: unknown): ShownPart {
  const { type, text, data, mimeType, uri } = isRecord(part) ? part : {};
  const words = text ?? ownProperty(ownProperty(part, 'resource'), 'text');
  if (typeof words === 'string') return { type: 'text', text: words };
  if (type === 'resource_link' && typeof uri === 'string') return { type: 'text', text: uri };
  if (type === 'image' && typeof data === 'string' && typeof mimeType === 'string')
    return { type: 'image', data, mimeType };
  return { type: 'other', name: String(type).slice(0, MOST_MEMBERS) };
}

function plainText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(shortened(value), undefined, 2) ?? '');
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // A bigint, for example.
    return;
  }
}

function moreText(count: number): string {
  return `… (+${formatNumber(count)})`;
}

/** What is left for a value that is shown. */
interface Room {
  values: number;
  characters: number;
}

/** A copy of plain data that is small. What does not fit is an ellipsis: the whole could take seconds as text. */
function shortened(value: unknown): unknown {
  return fitted(value, MOST_LEVELS, { values: MOST_VALUES, characters: MAX_SHOWN });
}

function fitted(value: unknown, levels: number, room: Room): unknown {
  room.values -= 1;
  if (typeof value === 'string') return shortText(value, room);
  if (typeof value === 'bigint') return shortText(String(value), room);
  if (typeof value !== 'object' || value === null)
    return typeof value === 'function' ? undefined : value;
  if (levels === 0 || room.values <= 0) return '…';
  if (Array.isArray(value)) {
    const members = value.slice(0, MOST_MEMBERS).map((one) => fitted(one, levels - 1, room));
    const rest = value.length - members.length;
    return rest > 0 ? [...members, moreText(rest)] : members;
  }
  const entries = Object.entries(value);
  const members = entries
    .slice(0, MOST_MEMBERS)
    .map(([name, one]) => [shortText(name, room), fitted(one, levels - 1, room)]);
  const rest = entries.length - members.length;
  return Object.fromEntries(rest > 0 ? [...members, ['…', moreText(rest)]] : members);
}

function shortText(text: string, room: Room): string {
  const short = text.slice(0, Math.max(0, room.characters));
  room.characters -= short.length;
  return short.length < text.length ? `${short}…` : text;
}

/** Most characters of a text that is compared. */
export const MOST_SHOWN = 100_000;

/** What a call changes in a file. */
export interface FileChange {
  readonly path: string;
  /** Texts, and what they become. A `before` that is not known is undefined. */
  readonly parts: readonly { readonly before: string | undefined; readonly after: string }[];
  /** The parts are whole files, so that their lines have the numbers of the file. */
  readonly isWhole: boolean;
  /** What was changed, as the server says: a unified diff of the file. */
  readonly made?: string | undefined;
}

/** Reads the arguments of a tool that changes a file. Undefined if they have another form. */
type ReadParts = (given: object) => FileChange['parts'] | undefined;

const text = (given: unknown, name: string): string | undefined => {
  const value = ownProperty(given, name);
  return typeof value === 'string' ? value : undefined;
};

/** A result of `edit_file`: a unified diff between backticks. No text of a server takes long to read. */
const MADE = /^(`{3,9})diff\n([\s\S]+?)\1/;

/** Tools of `@modelcontextprotocol/server-filesystem`, and what they are called with besides `path`. */
const TOOLS: Readonly<Record<string, ReadParts>> = {
  edit_file: (given) => {
    const edits = ownProperty(given, 'edits');
    if (!Array.isArray(edits) || edits.length === 0) return;
    const parts = edits.map((edit) => {
      const [before, after] = [text(edit, 'oldText'), text(edit, 'newText')];
      return before === undefined || after === undefined ? undefined : { before, after };
    });
    return parts.every((part) => part !== undefined) ? parts : undefined;
  },
  write_file: (given) => {
    const after = text(given, 'content');
    return after === undefined ? undefined : [{ before: undefined, after }];
  },
};

/** The diff in the text of a result. Undefined if there is none. */
export function diffIn(said: string): string | undefined {
  return MADE.exec(said)?.[2];
}

/** What the call changes. Undefined for other tools. `name`: with that of its server in front. */
export function changeOf(name: string, given: unknown): FileChange | undefined {
  const tool = name.slice(name.lastIndexOf('__') + 2);
  const read = TOOLS[tool];
  const path = text(given, 'path');
  if (!read || !name.includes('__') || path === undefined || !isRecord(given)) return;
  const parts = read(given);
  return parts && { path, parts, isWhole: tool === 'write_file' };
}
