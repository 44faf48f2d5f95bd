import type { Answer, StructuredAnswer } from './answer.ts';

/** Stands where a text was cut. */
const CUT_MARK = ' … [cut]';

/** Bytes of UTF-8 that a value takes as JSON. */
export function jsonBytes(value: unknown): number {
  const json = JSON.stringify(value);
  let bytes = 0;
  for (let i = 0; i < json.length; i++) bytes += unitBytes(json.charCodeAt(i));
  return bytes;
}

/** JSON is well-formed: a surrogate is half of a pair, which takes four bytes. */
function unitBytes(unit: number): number {
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  return unit >= 0xd800 && unit < 0xe000 ? 2 : 3;
}

/**
 * A text that takes at most `limit` bytes of JSON, quotes included: whole, or cut between two code
 * points and marked. `undefined` where there is no room for a mark and something before it.
 */
export function fitText(text: string, limit: number): string | undefined {
  // No character takes less than a byte: most long texts need not be measured.
  if (text.length <= limit && jsonBytes(text) <= limit) return text;
  let left = limit - jsonBytes(CUT_MARK);
  let end = 0;
  for (const point of text) {
    left -= jsonBytes(point) - 2;
    if (left < 0) break;
    end += point.length;
  }
  return end === 0 ? undefined : text.slice(0, end) + CUT_MARK;
}

/**
 * As much of an answer as takes at most `limit` bytes of JSON, braces included; `undefined` where
 * there is no room for any. Of named fields the summary comes first, with half of the room and what
 * the others leave; then findings in order, then questions. A text is cut where it does not fit
 * and ends its list; an object that does not fit is left out whole.
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
    // What the lists do not need, or cannot use for an object, is the summary's again.
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

/** As many items as take `room` bytes, commas included and brackets not; `left` of them are free. */
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
