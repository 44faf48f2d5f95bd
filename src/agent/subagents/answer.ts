import { isRecord, type JsonObject, type JsonValue } from '../../tools/json.ts';
import type { AnswerFormat } from './engine.ts';

/** What a child says in named fields, in the order in which they are sent. */
export interface StructuredAnswer {
  readonly summary: string;
  readonly findings: readonly (string | JsonObject)[];
  readonly open_questions: readonly string[];
}

/** What a child says: in named fields, or in its own words. */
export type Answer = StructuredAnswer | { readonly answer: string };

/** Levels of nesting that are read; what goes deeper could not be written out again everywhere. */
const DEPTH = 32;

/**
 * What a child's text says; `undefined` where it says nothing. Without control characters (line
 * breaks and tabs stay) and well-formed. An answer that was to be structured and cannot be read as
 * such is its text. Never throws, and takes time in proportion to the text.
 */
export function readAnswer(text: string, format: AnswerFormat): Answer | undefined {
  const answer = clean(text);
  if (answer.trim() === '') return undefined;
  return (format === 'structured' ? readStructured(answer) : undefined) ?? { answer };
}

function clean(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}--[\n\t]]/gv, '');
}

function readStructured(text: string): StructuredAnswer | undefined {
  return readObject(text) ?? readObject(firstFence(text));
}

/** The first block of JSON. No string of JSON has a raw line break, so none holds the fence's end. */
function firstFence(text: string): string {
  const start = text.indexOf('```json');
  const end = text.indexOf('\n```', start);
  return start < 0 ? '' : text.slice(start, end < 0 ? text.length : end);
}

/** Reads the outermost object; braces around a word before it are none. */
function readObject(text: string): StructuredAnswer | undefined {
  const start = text.search(/\{\s*"/);
  const end = text.lastIndexOf('}');
  if (start < 0 || end < start) return undefined;
  try {
    return structured(cleanValue(JSON.parse(text.slice(start, end + 1)), DEPTH));
  } catch {
    return undefined; // No JSON, or nested too deeply: its text is shown as it is.
  }
}

function structured(value: JsonValue): StructuredAnswer | undefined {
  if (!isRecord(value) || typeof value.summary !== 'string') return undefined;
  return {
    summary: value.summary,
    findings: listOf(value.findings).map((item) => (isRecord(item) ? item : textOf(item))),
    open_questions: listOf(value.open_questions).map(textOf),
  };
}

/** Models leave a list out, or give its only item. */
function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function cleanValue(value: JsonValue, depth: number): JsonValue {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) throw new RangeError('Nested too deeply.');
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, depth - 1));
  const members = Object.entries(value)
    .map(([key, member]): [string, JsonValue] => [clean(key), cleanValue(member, depth - 1)])
    // Whoever copies the result by assignment would change a prototype.
    .filter(([key]) => key !== '__proto__');
  return Object.fromEntries(members);
}
