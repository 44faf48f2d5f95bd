import { isRecord, type JsonObject, type JsonValue } from '../../../tools/values/index.ts';
import type { AnswerFormat } from '../engine/index.ts';

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

/** A text that is one block of code, of JSON or of no language. */
const FENCED = /^```(?:json)?[ \t]*\n([\s\S]*)\n[ \t]*```$/;

/**
 * What a child's text says; `undefined` where it says nothing. Without control characters (line
 * breaks and tabs stay) and well-formed. An answer that was to be structured and cannot be read as
 * such, whole and without loss, is its text. Never throws, and takes time in proportion to the text.
 */
export function readAnswer(text: string, format: AnswerFormat): Answer | undefined {
  const answer = clean(text);
  if (!isSaying(answer)) return undefined;
  return (format === 'structured' ? readStructured(answer) : undefined) ?? { answer };
}

/** Whether a text has anything to see. */
export function isSaying(text: string): boolean {
  return /[^\s\p{Cc}\p{Cf}]/u.test(text);
}

function clean(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}--[\n\t]]/gv, '');
}

/** Only what is one object as a whole, in a fence or not: what stands beside it may say the opposite. */
function readStructured(text: string): StructuredAnswer | undefined {
  const whole = text.trim();
  const json = FENCED.exec(whole)?.[1] ?? whole;
  try {
    const value = cleanValue(JSON.parse(json), DEPTH);
    // A key given twice, or digits that a number cannot hold: parsing has lost what the text says.
    return outline(JSON.stringify(value)) === outline(json) ? structured(value) : undefined;
  } catch {
    return undefined; // No JSON, or nested too deeply: its text is shown as it is.
  }
}

/** A text of JSON without what its strings hold and the blanks between. */
function outline(json: string): string {
  return json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/g, '""').replace(/\s/g, '');
}

/** Nothing where the value says more than the fields can hold. */
function structured(value: JsonValue): StructuredAnswer | undefined {
  if (!isRecord(value)) return undefined;
  const { summary, findings, open_questions, ...unknown } = value;
  const found = listOf(findings);
  const open = listOf(open_questions);
  const isFine =
    typeof summary === 'string' &&
    found.every((item) => typeof item === 'string' || isRecord(item)) &&
    open.every((item) => typeof item === 'string') &&
    Object.keys(unknown).length === 0;
  return isFine ? { summary, findings: found, open_questions: open } : undefined;
}

/** Models leave a list out, or give its only item. */
function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
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
