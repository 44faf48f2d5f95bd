import { plainLine } from '../../../tools/values/index.ts';
import { STATUSES, type SubagentStatus } from '../../events/index.ts';
import type { AnswerFormat, SubagentResult } from '../engine/index.ts';
import { type Answer, readAnswer, type StructuredAnswer } from './answer.ts';
import { fitText, jsonBytes } from './fit.ts';
import { shareOut } from './share.ts';

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
  const parts = tasks.map(({ id, status, error, text, format }) => ({
    start: { id, status },
    answer: readAnswer(text, format),
    end: errorOf(error, errorLimit),
  }));
  const summary = summaryOf(tasks);
  const frame = { summary, results: parts.map(({ start, end }) => ({ ...start, ...end })) };
  const answers = parts.flatMap(({ answer }) => answer ?? []);
  const shares = shareOut(answers, limit - jsonBytes(frame));
  const results = parts.map(({ start, answer, end }): ReportedResult => {
    const shown: Answer | undefined = answer && shares.get(answer);
    return { ...start, ...shown, ...end, ...(shown !== answer && { truncated: true }) };
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
