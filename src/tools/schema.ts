import { errorMessage, ToolfoldError } from '../errors.ts';
import { isRecord, type JsonSchema, own } from './json.ts';
import type { StandardJSONSchemaV1, StandardSchemaV1 } from './standard-schema.ts';
import type { InputSchema, Tool, ToolDefinition } from './tool.ts';

const ANY_OBJECT: JsonSchema = { type: 'object' };

/** The Standard Schema side of an input schema, if it has one (arktype's schemas are functions). */
export function standardSide(schema: InputSchema): StandardSchemaV1 | undefined {
  const side = standard(schema);
  return side && 'validate' in side ? (schema as StandardSchemaV1) : undefined;
}

function standard(schema: unknown): object | undefined {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null) return;
  const side = (schema as { '~standard'?: unknown })['~standard'];
  return typeof side === 'object' && side !== null ? side : undefined;
}

/**
 * The JSON Schema of a tool's input. A plain schema passes as it is; anything that is no schema at
 * all (servers send such things) becomes an object without rules. Throws `invalid-schema` for a
 * Standard Schema that cannot describe itself.
 */
export function toJsonSchema(toolName: string, schema: InputSchema): JsonSchema {
  const side = standard(schema);
  if (!side) return isRecord(schema) ? schema : ANY_OBJECT;
  const convert = (side as Partial<StandardJSONSchemaV1['~standard']>).jsonSchema;
  if (!convert) {
    throw new ToolfoldError(
      'invalid-schema',
      `The input schema of tool "${toolName}" validates but cannot describe itself as JSON Schema.`,
      'Use zod 4 or arktype, or wrap a valibot schema in toStandardJsonSchema of @valibot/to-json-schema.',
    );
  }
  try {
    return convert.input({ target: 'draft-2020-12' });
  } catch (error) {
    throw new ToolfoldError(
      'invalid-schema',
      `The input schema of tool "${toolName}" has no JSON Schema: ${errorMessage(error)}.`,
      'Use only types that JSON has.',
      error,
    );
  }
}

/** The definition that goes on the wire under `name`. */
export function toDefinition(name: string, tool: Tool): ToolDefinition {
  const parameters = toJsonSchema(name, tool.inputSchema);
  return tool.description === undefined
    ? { name, parameters }
    : { name, description: tool.description, parameters };
}

/** Top-level parameters in their author's order, with their descriptions. */
export function parametersOf(schema: JsonSchema): { name: string; description?: string }[] {
  const properties = own(schema, 'properties');
  if (!isRecord(properties)) return [];
  return Object.keys(properties).map((name) => {
    const description = own(properties[name], 'description');
    return typeof description === 'string' ? { name, description } : { name };
  });
}

/** Values of an enum that are shown where levels are cut too. */
const LONG_ENUM = 50;
const PROSE = new Set(['description', 'title', 'examples', 'default', '$comment']);

/**
 * The schema as it is while it costs at most `budget` tokens; then without prose, then without
 * long enums and with nested levels cut to their types, then parameter names only. What was left out is said by `shortened`.
 */
export function fitSchema(
  schema: JsonSchema,
  budget: number,
  countTokens: (text: string) => number,
): { schema: JsonSchema; shortened: boolean } {
  const fits = (candidate: JsonSchema) => countTokens(JSON.stringify(candidate)) <= budget;
  if (fits(schema)) return { schema, shortened: false };
  for (const depth of [Number.POSITIVE_INFINITY, 3, 1]) {
    const candidate = withoutProse(schema, depth);
    if (isRecord(candidate) && fits(candidate)) return { schema: candidate, shortened: true };
  }
  const names = parametersOf(schema).map((parameter) => parameter.name.slice(0, 64));
  while (names.length > 0 && !fits({ properties: names })) names.length = names.length >> 1;
  return { schema: { properties: names }, shortened: true };
}

function isLongEnum(key: string, value: unknown): boolean {
  return key === 'enum' && Array.isArray(value) && value.length > LONG_ENUM;
}

/** Members of `properties` and the like are names, not keywords: all of them are kept. */
function withoutProse(value: unknown, depth: number, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutProse(item, depth));
  if (!isRecord(value)) return value;
  if (depth < 0 && !isNames) return value.type === undefined ? {} : { type: value.type };
  const kept: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(value)) {
    if (
      !isNames &&
      (PROSE.has(key) || (depth < Number.POSITIVE_INFINITY && isLongEnum(key, value[key])))
    )
      continue;
    const names = !isNames && (key === 'properties' || key === '$defs' || key === 'definitions');
    kept[key] = withoutProse(value[key], names ? depth - 1 : depth, names);
  }
  return kept;
}
