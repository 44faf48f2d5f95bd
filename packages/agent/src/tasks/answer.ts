import {
  isRecord,
  type JsonObject,
  type JsonValue,
  ownProperty,
} from '@toolfold/core/internal/values';
import { thoughtsIn } from '../entries/index.ts';
import type { AgentEvent, EndReason } from '../events/index.ts';
import type { AnswerFormat, WorkResult } from './engine.ts';
import { failureText } from './task-run.ts';

/** A structured answer. The order of the fields is the order in the report. */
export interface StructuredAnswer {
  readonly summary: string;
  readonly findings: readonly (string | JsonObject)[];
  readonly open_questions: readonly string[];
}

/** A child's answer: structured, or as text. */
export type ChildAnswer = StructuredAnswer | { readonly answer: string };

/** Maximum nesting of a structured answer. Deeper values cannot be serialized everywhere. */
const DEPTH = 32;

/** Matches a text that is one code block, marked as JSON or unmarked. */
const FENCED = /^```(?:json)?[ \t]*\n([\s\S]*)\n[ \t]*```$/;

/**
 * Reads a child's text; `undefined` if it is empty. Removes thoughts between tags and control characters except
 * line breaks and tabs, and makes the text well-formed. If a structured answer cannot be parsed completely and without
 * loss, the text itself is the answer. Never throws. The time is linear in the length of the text.
 */
export function readAnswer(text: string, format: AnswerFormat): ChildAnswer | undefined {
  const said = thoughtsIn(text).text;
  const answer = clean(hasContent(said) ? said : text);
  if (!hasContent(answer)) return undefined;
  return (format === 'structured' ? readStructured(answer) : undefined) ?? { answer };
}

/** Whether a text has visible characters. */
function hasContent(text: string): boolean {
  return /[^\s\p{Cc}\p{Cf}]/u.test(text);
}

function clean(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}--[\n\t]]/gv, '');
}

/** Accepts only a text that is one object, fenced or not. Text beside the object could contradict it. */
function readStructured(text: string): StructuredAnswer | undefined {
  const whole = text.trim();
  const json = FENCED.exec(whole)?.[1] ?? whole;
  try {
    const value = cleanValue(JSON.parse(json), DEPTH);
    // The outlines differ if parsing lost something: a duplicate key, or digits that a number cannot hold.
    return outline(JSON.stringify(value)) === outline(json) ? structured(value) : undefined;
  } catch {
    return undefined; // The text is not JSON or nested too deeply. It is shown as it is.
  }
}

/** JSON text without the content of its strings and without white space. */
function outline(json: string): string {
  return json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/g, '""').replace(/\s/g, '');
}

/** Undefined if the value has other fields or types than a structured answer. */
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

/** Models omit an empty list, or give a single item without a list. */
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
    // Code that copies this key by assignment would change a prototype.
    .filter(([key]) => key !== '__proto__');
  return Object.fromEntries(members);
}

/** Maximum characters of an answer that are passed on: far more than a report has room for. */
const MAX_PASSED_ON = 200_000;

/** Why an answer may be incomplete. */
const CUT_SHORT: Readonly<Partial<Record<EndReason, string>>> = {
  rounds: 'It used all its tool rounds',
  length: "It was cut off at the model's limit",
  'content-filter': "It was stopped by the provider's filter",
  other: 'Its provider ended it for an unknown reason',
};

/** How the turn of a child has ended. */
export type ChildTurnEnd = Pick<Extract<AgentEvent, { type: 'end' }>, 'reason' | 'error'>;

/**
 * The result of a child. `texts`: of the answers of its turn. Text before tool calls is its answer only if no later
 * answer has any. `isFlood`: its answer was too long.
 */
export function resultOf(
  texts: readonly string[],
  { reason, error }: ChildTurnEnd,
  isFlood: boolean,
): WorkResult {
  const text = (texts.findLast(hasContent) ?? '').slice(0, MAX_PASSED_ON);
  if (isFlood)
    return { status: 'incomplete', text, error: 'It was stopped: its answer was too long.' };
  if (reason === 'error') return { status: 'failed', text, error: messageOf(error) };
  const why = CUT_SHORT[reason];
  if (!hasContent(text))
    return { status: 'failed', text: '', error: `${why ?? 'It ended'} without an answer.` };
  return why === undefined
    ? { status: 'done', text }
    : { status: 'incomplete', text, error: `${why}: the answer may be partial.` };
}

/** The message of an error, with the HTTP status if it has one. */
function messageOf(error: unknown): string {
  const status = ownProperty(error, 'statusCode');
  const message = failureText(error);
  return typeof status === 'number' ? `${message} (status ${status})` : message;
}
