import { plainLine } from '@toolfold/core/internal/tools/values';
import { STATUSES, type SubagentStatus } from '../../events/index.ts';
import type { AnswerFormat, SubagentResult } from '../engine/index.ts';
import { type Answer, readAnswer, type StructuredAnswer } from './answer.ts';
import { fitAnswer, fitText, jsonBytes } from './fit.ts';

/** The result of a task, with the answer format of its child. */
export interface ReportedTask extends SubagentResult {
  readonly format: AnswerFormat;
}

/** The number of tasks, in total and by status. */
export type Summary = { readonly total: number } & Readonly<Record<SubagentStatus, number>>;

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
  readonly whole: Answer;
  /** Bytes of the whole answer as further members of an object. */
  readonly size: number;
  /** What is shown of it. Absent if there is no room. */
  fitted?: Answer | undefined;
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
