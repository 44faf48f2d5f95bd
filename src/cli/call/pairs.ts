import { ToolfoldError } from '../../errors.ts';
import { isRecord, ownProperty, truncate } from '../../tools/values/index.ts';
import { typedValue, typesOf } from './typed-value.ts';

/** Throws `invalid-option` if a pair is not `name=value`. */
export function checkPairs(pairs: readonly string[]): void {
  for (const pair of pairs) {
    if (pair.indexOf('=') > 0) continue;
    throw new ToolfoldError(
      'invalid-option',
      `--arg ${JSON.stringify(truncate(pair, 60))} has no name and value.`,
      'Write --arg name=value.',
    );
  }
}

/**
 * The arguments that `--arg` gives, each with the type that the tool's schema says. The values of a
 * list may be given one by one. Throws `invalid-option` if another argument is given twice.
 */
export function readPairs(
  pairs: readonly string[],
  schema: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const texts = new Map<string, string[]>();
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at);
    texts.set(name, [...(texts.get(name) ?? []), pair.slice(at + 1)]);
  }
  const values = [...texts].map(
    ([name, given]) => [name, argumentOf(name, given, schema)] as const,
  );
  return Object.fromEntries(values);
}

function argumentOf(
  name: string,
  texts: readonly string[],
  schema: Readonly<Record<string, unknown>>,
): unknown {
  const property = ownProperty(ownProperty(schema, 'properties'), name);
  const types = typesOf(property, schema);
  const [first = ''] = texts;
  const isList = types.has('array') && !types.has('string');
  const items = isRecord(property) ? ownProperty(property, 'items') : undefined;
  const isWritten = texts.length === 1 && first.trimStart().startsWith('[');
  if (isList && !isWritten) return texts.map((text) => typedValue(text, items, schema));
  if (texts.length === 1) return typedValue(first, property, schema);
  throw new ToolfoldError(
    'invalid-option',
    `--arg gives ${JSON.stringify(truncate(name, 60))} more than once, but it is no list.`,
    'Give it once, or all arguments as a JSON object.',
  );
}
