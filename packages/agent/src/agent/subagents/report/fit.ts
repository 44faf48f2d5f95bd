import type { Answer, StructuredAnswer } from './answer.ts';

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
export function fitAnswer(answer: Answer, limit: number): Answer | undefined {
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

type Finding = StructuredAnswer['findings'][number];

function fitFinding(finding: Finding, limit: number): Finding | undefined {
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
