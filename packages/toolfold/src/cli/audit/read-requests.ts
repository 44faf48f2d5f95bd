import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { isRecord, measureNesting, parsedJson } from '@toolfold/core/internal/tools/values';
import {
  type RequestFormat,
  requestFormats,
  type UnreadRequest,
} from '@toolfold/testing/internal/wire';
import { formatNumber, usageError } from '../../app/terminal/index.ts';

/**
 * Most levels of nesting in a body, which contains the schemas of all tools. No provider accepts as
 * many.
 */
const MAX_LEVELS = 1000;

/** A request of the file, and the number of its line. */
export type ReadRequest = Exclude<RequestFormat, { readonly unreadable: string }> & {
  readonly line: number;
};

/** A line that is no recorded request, and why. */
export interface UnreadableLine {
  readonly line: number;
  readonly reason: string;
}

/** The requests of a file with one JSON object a line, and the lines that cannot be read. */
export interface RequestsRead {
  readonly requests: readonly ReadRequest[];
  readonly unreadable: readonly UnreadableLine[];
}

/**
 * Reads recorded requests, one a line. Blank lines are skipped. Throws `invalid-option` if no line is a
 * recorded request.
 */
export function readRequests(file: string, content: string): RequestsRead {
  const lines = content
    .split('\n')
    .map((text, index) => ({ text, line: index + 1 }))
    .filter(({ text }) => text.trim() !== '');
  const parsed = lines.map(({ text, line }) => ({ line, ...parseLine(text) }));
  const given = parsed.flatMap((one) => ('request' in one ? [one] : []));
  const formats = requestFormats(given.map(({ request }) => request));
  const read = given.map(({ line }, index) => ({ line, ...formats[index] }));
  const requests = read.filter((one): one is ReadRequest => 'provider' in one);
  const unreadable = [
    ...parsed.flatMap((one) => ('reason' in one ? [{ line: one.line, reason: one.reason }] : [])),
    ...read.flatMap((one) =>
      'unreadable' in one ? [{ line: one.line, reason: String(one.unreadable) }] : [],
    ),
  ].sort((a, b) => a.line - b.line);
  if (requests.length > 0) return { requests, unreadable };
  const [first] = unreadable;
  if (first === undefined)
    throw usageError(
      `${file} has no requests.`,
      "Record requests: createAnthropic({ fetch: recordFetch('requests.jsonl') }). recordFetch comes from @toolfold/testing.",
    );
  const others = unreadable.length > 1 ? ` No other line of ${file} can be read either.` : '';
  throw usageError(
    `${file}:${first.line} is not a recorded request: ${first.reason}.${others}`,
    EXPECTED_LINE,
  );
}

/** What a line must be. */
export const EXPECTED_LINE = `Write one request per line: { "provider", "url", "body" }. "provider" and "url" may be left out if the body has "messages" or "input".`;

function parseLine(line: string): { request: UnreadRequest } | { reason: string } {
  let request: unknown;
  try {
    // Editors on Windows write a byte order mark at the start of a file.
    request = JSON.parse(line.replace(/^\uFEFF/, ''));
  } catch (error) {
    return { reason: `it is not JSON (${errorMessage(error)})` };
  }
  if (!isRecord(request)) return { reason: 'it is not a JSON object' };
  // The body is a text where somebody recorded the arguments of `fetch`.
  const body = typeof request.body === 'string' ? parsedJson(request.body) : request.body;
  if (
    isRecord(body) &&
    measureNesting(body, MAX_LEVELS, Number.POSITIVE_INFINITY).depth > MAX_LEVELS
  ) {
    return { reason: `its "body" is nested more than ${formatNumber(MAX_LEVELS)} levels deep` };
  }
  return { request: { ...request, body } };
}
