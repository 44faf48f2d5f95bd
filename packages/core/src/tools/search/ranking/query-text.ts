/** The most characters that are read of a query. */
export const LONGEST_QUERY = 1_000;
/** The most that are looked at: half of them at the start, half at the end. */
const MOST_SEEN = 20_000;
/** A longer sentence is divided. */
const LONGEST_PASSAGE = 300;
/** Passages at the end of a long text that are read. */
const LAST = 2;

const SENTENCE_END = /(?<=[.?!])\s+|(?<=[。？！])|\n+/;
/** What stands before and behind JSON in a call of a tool or a block of code. */
const BEFORE_JSON = /^[\s`\w.(]*$/;
const BEHIND_JSON = /^[\s`);]*$/;
/** The names of what says what is wanted. A `context` does not. */
const WANTED =
  /^\w*(?:query|queries|question|search|task|need|intent|request|prompt|(?<!con)text)$/i;

/**
 * Takes out of a query what says which tool is wanted: the texts of a query that is JSON, and the beginning
 * and the end of one that is longer than what is read.
 */
export function queryText(query: string): string {
  const text = needText(query);
  if (text.length <= LONGEST_QUERY) return text;
  const seen =
    text.length <= MOST_SEEN
      ? text
      : `${text.slice(0, MOST_SEEN / 2)}\n${text.slice(-MOST_SEEN / 2)}`;
  const [first = '', ...others] = seen.split(SENTENCE_END).flatMap(divided);
  return [first, ...others.slice(-LAST)].join('\n');
}

/** Whether only parts of a query are read. */
export function isCut(query: string): boolean {
  return needText(query).length > LONGEST_QUERY;
}

/** All that a query says about what is wanted, with the first of several spaces where they would make it too long. */
function needText(query: string): string {
  const text = unwrapped(query);
  return text.length <= LONGEST_QUERY ? text : text.trim().replace(/(\s)\s+/g, '$1');
}

/** Divides a sentence without an end at spaces. */
function divided(sentence: string): readonly string[] {
  const trimmed = sentence.trim();
  if (trimmed === '') return [];
  if (trimmed.length <= LONGEST_PASSAGE) return [trimmed];
  const space = trimmed.lastIndexOf(' ', LONGEST_PASSAGE);
  const end = space > 0 ? space : LONGEST_PASSAGE;
  return [trimmed.slice(0, end), ...divided(trimmed.slice(end))];
}

/**
 * The texts of a query that is JSON, or a call with JSON; else the query. Each step takes linear time:
 * a single regular expression would backtrack at each space.
 */
function unwrapped(query: string): string {
  const start = query.search(/[{[]/);
  const end = Math.max(query.lastIndexOf('}'), query.lastIndexOf(']')) + 1;
  if (!BEFORE_JSON.test(query.slice(0, start)) || !BEHIND_JSON.test(query.slice(end))) return query;
  try {
    const texts = textsIn(JSON.parse(query.slice(start, end)), '', false);
    const wanted = texts.filter(({ isWanted }) => isWanted);
    return (wanted.length > 0 ? wanted : texts).map(({ text }) => text).join('\n') || query;
  } catch {
    return query;
  }
}

interface NamedText {
  readonly text: string;
  readonly isWanted: boolean;
}

function textsIn(value: unknown, name: string, isWanted: boolean): NamedText[] {
  const isOwn = isWanted || WANTED.test(name);
  if (typeof value === 'string') return [{ text: value, isWanted: isOwn }];
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, one]) => textsIn(one, isList ? name : key, isOwn));
}
