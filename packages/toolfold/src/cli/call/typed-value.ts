import { isRecord, ownProperty, parsedJson } from '@toolfold/core/internal/tools/values';
import { exactValue } from './exact-value.ts';

const TYPES = ['string', 'number', 'boolean', 'null', 'object', 'array'] as const;
/** A JSON type, as in a schema. */
export type JsonType = (typeof TYPES)[number];

const MAX_LEVELS = 8;

/**
 * The types that a schema accepts; empty if it does not say. Follows `anyOf`, `oneOf` and references
 * within the schema of the tool (`root`).
 */
export function typesOf(
  schema: unknown,
  root: unknown,
  levels: number = MAX_LEVELS,
): ReadonlySet<JsonType> {
  if (!isRecord(schema) || levels === 0) return new Set();
  const type = ownProperty(schema, 'type');
  if (type !== undefined) return new Set([type].flat().flatMap(asType));
  const values =
    ownProperty(schema, 'enum') ?? (Object.hasOwn(schema, 'const') ? [schema.const] : undefined);
  if (Array.isArray(values)) return new Set(values.map(typeOf));
  const reference = ownProperty(schema, '$ref');
  if (typeof reference === 'string') return typesOf(target(reference, root), root, levels - 1);
  const alternatives = ownProperty(schema, 'anyOf') ?? ownProperty(schema, 'oneOf');
  if (!Array.isArray(alternatives)) return new Set();
  const types = alternatives.map((one) => [...typesOf(one, root, levels - 1)]);
  // An alternative that does not say accepts everything.
  return new Set(types.some((some) => some.length === 0) ? [] : types.flat());
}

/**
 * The value that a text means under a schema. A text that fits none of its types stays a text, and the
 * check of the arguments then says what is wrong.
 */
export function typedValue(text: string, schema: unknown, root: unknown): unknown {
  const types = typesOf(schema, root);
  if (types.has('string')) return text;
  if (parsedJson(text) === undefined) return text;
  const value = exactValue(text, 'The argument');
  return types.size === 0 || types.has(typeOf(value)) ? value : text;
}

function asType(name: unknown): JsonType[] {
  return TYPES.filter((type) => type === (name === 'integer' ? 'number' : name));
}

function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'number';
  return asType(typeof value)[0] ?? 'object';
}

/** The part of the tool's schema that a reference such as `#/$defs/state` names. */
function target(reference: string, root: unknown): unknown {
  if (!reference.startsWith('#/')) return;
  const steps = reference.slice(2).split('/', 20);
  return steps.reduce<unknown>(
    (place, step) => ownProperty(place, step.replaceAll('~1', '/').replaceAll('~0', '~')),
    root,
  );
}
