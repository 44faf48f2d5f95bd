import { isRecord, ownProperty, parsedJson, truncate } from '@toolfold/core/internal/tools/values';
import { usageError } from '../../app/terminal/index.ts';
import { exactValue } from './exact-value.ts';
import { typedValue, typesOf } from './typed-value.ts';

/** An argument as it is written: `name=text`, whose type the schema says, or `name:=json`. */
interface Pair {
  readonly name: string;
  readonly text: string;
  readonly isJson: boolean;
}

/** Whether a word looks like an argument with its name. */
export function isPair(word: string): boolean {
  return /^[^\s={}[\]"':]+:?=/.test(word);
}

/** The words of arguments, `name:value` as `name=value`: mcporter takes both. */
export function withEquals(words: readonly string[]): string[] {
  return words.map((word) => word.replace(/^([^\s={}[\]"':]+):(?!=)/, '$1='));
}

/** Throws `invalid-option` if a pair is neither `name=value` nor `name:=json`. */
export function checkPairs(pairs: readonly string[]): void {
  for (const pair of pairs) {
    const { name, text, isJson } = read(pair);
    const shown = truncate(name, 60);
    if (name === '')
      throw usageError(
        `The argument ${JSON.stringify(truncate(pair, 60))} has no name and value.`,
        'Write name=value, name:=json, or all arguments as one JSON object.',
      );
    if (isJson && parsedJson(text) === undefined)
      throw usageError(`What follows ${shown}:= is not JSON.`, `Write ${shown}=value for a text.`);
  }
}

/**
 * The arguments of these pairs, each with the type that the tool's schema says. The values of a list may be
 * given one by one. Throws `invalid-option` if another argument is given twice.
 */
export function readPairs(
  pairs: readonly string[],
  schema: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const byName = Map.groupBy(pairs.map(read), ({ name }) => name);
  const values = [...byName].map(
    ([name, given]) => [name, argumentOf(name, given, schema)] as const,
  );
  return Object.fromEntries(values);
}

function read(pair: string): Pair {
  const at = Math.max(0, pair.indexOf('='));
  const isJson = at > 1 && pair[at - 1] === ':';
  return { name: pair.slice(0, isJson ? at - 1 : at), text: pair.slice(at + 1), isJson };
}

function argumentOf(
  name: string,
  given: readonly Pair[],
  schema: Readonly<Record<string, unknown>>,
): unknown {
  const property = ownProperty(ownProperty(schema, 'properties'), name);
  const types = typesOf(property, schema);
  const [first] = given;
  const isList = types.has('array') && !types.has('string');
  const items = isRecord(property) ? ownProperty(property, 'items') : undefined;
  const valueIn = ({ text, isJson }: Pair, of: unknown): unknown =>
    isJson ? exactValue(text, name) : typedValue(text, of, schema);
  const isWhole = first?.isJson || first?.text.trimStart().startsWith('[');
  if (isList && (given.length > 1 || !isWhole)) return given.map((pair) => valueIn(pair, items));
  if (first !== undefined && given.length === 1) return valueIn(first, property);
  throw usageError(
    `The arguments have ${JSON.stringify(truncate(name, 60))} more than once, but it is no list.`,
    'Give it once, or all arguments as a JSON object.',
  );
}
