import { plainLine } from '@toolfold/core/internal/values';
import { STATUSES, type SubagentStatus } from '../events/index.ts';
import { type ChildAnswer, readAnswer, type StructuredAnswer } from './answer.ts';
import type { AnswerFormat, SubagentResult } from './engine.ts';

/** Marks the end of a text that was cut. */
const CUT_MARK = ' … [cut]';

const encoder = new TextEncoder();

/** Length of a value as JSON, in bytes of UTF-8. */
export function jsonBytes(value: unknown): number {
  return encoder.encode(JSON.stringify(value)).length;
}

/** Bytes of one code point within a text of JSON. */
function pointBytes(point: string): number {
  // Most characters stand for themselves. JSON escapes the others of ASCII.
  return /[ !#-[\]-~]/.test(point) ? 1 : jsonBytes(point) - 2;
}

/**
 * The text, whole or cut between two code points and marked, in at most `limit` bytes of JSON, quotes
 * included. `undefined` if there is no room for the mark and at least one character.
 */
export function fitText(text: string, limit: number): string | undefined {
  // Each character takes at least one byte, so most long texts need not be measured.
  if (text.length <= limit && jsonBytes(text) <= limit) return text;
  let left = limit - jsonBytes(CUT_MARK);
  let end = 0;
  for (const point of text) {
    left -= pointBytes(point);
    if (left < 0) break;
    end += point.length;
  }
  return end === 0 ? undefined : text.slice(0, end) + CUT_MARK;
}

/**
 * Shortens an answer to at most `limit` bytes of JSON, braces included; `undefined` if there is no
 * room. In a structured answer the summary gets half of the room, then the findings and the questions
 * follow in order, and the summary gets what they leave. A text that does not fit is cut and ends its
 * list. An object that does not fit is left out.
 */
export function fitAnswer(answer: ChildAnswer, limit: number): ChildAnswer | undefined {
  if (jsonBytes(answer) <= limit) return answer;
  if (!('answer' in answer)) return fitStructured(answer, limit);
  const text = fitText(answer.answer, limit - jsonBytes({ answer: '' }) + 2);
  return text === undefined ? undefined : { answer: text };
}

function fitStructured(answer: StructuredAnswer, limit: number): StructuredAnswer | undefined {
  const room = limit - jsonBytes({ summary: '', findings: [], open_questions: [] });
  const summary = fitText(answer.summary, Math.floor(room / 2) + 2);
  if (summary === undefined) return undefined;
  const findings = fitList(answer.findings, room + 2 - jsonBytes(summary), fitFinding);
  const questions = fitList(answer.open_questions, findings.left, fitText);
  return {
    // The summary gets the room that the lists leave.
    summary: fitText(answer.summary, jsonBytes(summary) + questions.left) ?? summary,
    findings: findings.items,
    open_questions: questions.items,
  };
}

type ReportFinding = StructuredAnswer['findings'][number];

function fitFinding(finding: ReportFinding, limit: number): ReportFinding | undefined {
  if (typeof finding === 'string') return fitText(finding, limit);
  return jsonBytes(finding) <= limit ? finding : undefined;
}

/** The items that fit in `room` bytes, with commas and without brackets. `left`: bytes that stay free. */
function fitList<T>(
  list: readonly T[],
  room: number,
  fit: (item: T, limit: number) => T | undefined,
): { readonly items: readonly T[]; readonly left: number } {
  const items: T[] = [];
  let left = room;
  for (const item of list) {
    const comma = items.length === 0 ? 0 : 1;
    const fitted = fit(item, left - comma);
    if (fitted !== undefined) {
      items.push(fitted);
      left -= jsonBytes(fitted) + comma;
    }
    if (typeof item === 'string' && fitted !== item) break;
  }
  return { items, left };
}

/** The result of a task, with the answer format of its child. */
export interface ReportedTask extends SubagentResult {
  readonly format: AnswerFormat;
}

/** The number of tasks, in total and by status. */
type Summary = { readonly total: number } & Readonly<Record<SubagentStatus, number>>;

/** One task as the parent's model reads it: structured fields or `answer`; neither if the child gave no answer. */
export interface ReportedResult extends Partial<StructuredAnswer> {
  readonly id: string;
  readonly status: SubagentStatus;
  readonly answer?: string;
  /** One line of at most 300 bytes, or of a quarter of an equal share of the report if that is less. */
  readonly error?: string;
  /** The answer was shortened. */
  readonly truncated?: true;
}

/**
 * The result of the tool for the parent's model, with keys in this order. As JSON it takes at most the
 * requested bytes, if these are at least 10,000 for 50 tasks with ids of 64 letters, or 60,000 for ids
 * of any 64 ASCII characters. With less it may take as much as ids and statuses need.
 */
export interface SubagentReport {
  /** Comes first, so that the model knows what is missing before it reads the answers. */
  readonly summary: Summary;
  /** In the order of the tasks. */
  readonly results: readonly ReportedResult[];
}

const ERROR_BYTES = 300;

/** Combines the results of tasks in at most `limit` bytes of JSON; see `SubagentReport`. */
export function reportOf(tasks: readonly ReportedTask[], limit: number): SubagentReport {
  const errorLimit = Math.min(ERROR_BYTES, Math.floor(limit / tasks.length / 4));
  const parts = tasks.map(({ id, status, error, text, format }) => {
    const whole = readAnswer(text, format);
    const claim: Claim | undefined = whole && { whole, size: memberBytes(whole), used: 0 };
    return { start: { id, status }, claim, end: errorOf(error, errorLimit) };
  });
  const summary = summaryOf(tasks);
  const frame = { summary, results: parts.map(({ start, end }) => ({ ...start, ...end })) };
  const claims = parts.flatMap(({ claim }) => claim ?? []);
  shareOut(claims, limit - jsonBytes(frame));
  const results = parts.map(({ start, claim, end }): ReportedResult => {
    const isCut = claim?.fitted !== claim?.whole;
    return { ...start, ...claim?.fitted, ...end, ...(isCut && { truncated: true }) };
  });
  return { summary, results };
}

function summaryOf(tasks: readonly ReportedTask[]): Summary {
  const counts = STATUSES.map((status) => [
    status,
    tasks.filter((task) => task.status === status).length,
  ]);
  return { total: tasks.length, ...Object.fromEntries(counts) };
}

function errorOf(error: string | undefined, limit: number): Pick<ReportedResult, 'error'> {
  const line = fitText(plainLine(error ?? '', ERROR_BYTES), limit);
  return line ? { error: line } : {};
}

/** An answer that needs room in the report. */
interface Claim {
  readonly whole: ChildAnswer;
  /** Bytes of the whole answer as further members of an object. */
  readonly size: number;
  /** What is shown of it. Absent if there is no room. */
  fitted?: ChildAnswer | undefined;
  /** Bytes of `fitted`, with the `truncated` mark if it was cut. */
  used: number;
}

const MARK_BYTES = memberBytes({ truncated: true });

/**
 * Shortens the answers so that they take at most `room` bytes together. Each answer has an equal share. Room that
 * short answers leave goes to long ones. The share of a cut answer includes `"truncated":true`.
 */
function shareOut(claims: readonly Claim[], room: number): void {
  const bySize = claims.toSorted((a, b) => a.size - b.size);
  const left = grant(bySize, room);
  // An object that did not fit leaves room. It goes to the answers that were cut.
  const cut = claims.filter(({ whole, fitted }) => fitted !== whole);
  const byUse = cut.toSorted((a, b) => a.used - b.used);
  grant(byUse, left);
}

/** Gives each claim an equal part of `room` in addition to what it has. Unused room goes to the next claims. */
function grant(claims: readonly Claim[], room: number): number {
  let left = room;
  for (const [index, claim] of claims.entries()) {
    const { whole, size, used } = claim;
    const most = used + Math.floor(left / (claims.length - index));
    const isWhole = size <= most;
    claim.fitted = isWhole ? whole : fitAnswer(whole, most - MARK_BYTES + 1);
    claim.used = memberBytes(claim.fitted ?? {}) + (isWhole ? 0 : MARK_BYTES);
    left -= claim.used - used;
  }
  return left;
}

/** Bytes of members that follow other members: one comma instead of two braces. */
function memberBytes(members: object): number {
  const bytes = jsonBytes(members);
  return bytes > 2 ? bytes - 1 : 0;
}
