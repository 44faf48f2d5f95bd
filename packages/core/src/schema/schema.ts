import { ToolfoldError } from '../errors.ts';
import {
  charactersOf,
  type InputSchema,
  invalidSchema,
  type Limits,
  type StandardJSONSchemaV1,
  type StandardSchemaV1,
  type TokenCounter,
  type Tool,
  type ToolDefinition,
  tokensWithin,
} from '../tool/index.ts';
import { isRecord, type JsonSchema, listIn, ownProperty, truncate } from '../values/index.ts';

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
 * The JSON Schema of a tool's input. A plain schema is returned unchanged. A value that is not a schema
 * (some servers send such values) becomes an object without rules. Throws `invalid-schema` for a
 * Standard Schema that cannot be converted to JSON Schema.
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
    throw invalidSchema(toolName, error);
  }
}

/** The definition that is sent to the provider under `name`. */
export function toDefinition(name: string, tool: Tool): ToolDefinition {
  const parameters = toJsonSchema(name, tool.inputSchema);
  return tool.description === undefined
    ? { name, parameters }
    : { name, description: tool.description, parameters };
}

/** The first top-level parameters in their original order, with their descriptions. */
export function parametersOf(
  schema: JsonSchema,
  limit: number = Number.POSITIVE_INFINITY,
): { name: string; description?: string }[] {
  const properties = propertiesOf(schema);
  const parameters: { name: string; description?: string }[] = [];
  for (const name of Object.keys(properties).slice(0, limit)) {
    const description = ownProperty(properties[name], 'description');
    parameters.push(typeof description === 'string' ? { name, description } : { name });
  }
  return parameters;
}

/** The names of a schema's top-level parameters. */
export function parameterNames(schema: JsonSchema): ReadonlySet<string> {
  return new Set(Object.keys(propertiesOf(schema)));
}

/** The schemas of the top-level parameters by name; empty where there are none. */
function propertiesOf(schema: unknown): Readonly<Record<string, unknown>> {
  const properties = ownProperty(schema, 'properties');
  return isRecord(properties) ? properties : {};
}

/** The maximum number of enum values that are shown if nested levels are cut too. */
const LONG_ENUM = 50;
const PROSE = new Set(['description', 'title', 'examples', 'default', '$comment']);

interface Fitted {
  readonly schema: JsonSchema;
  readonly shortened: boolean;
}

/** A schema that was fitted, and to what. */
interface FittedSchema {
  readonly found: Fitted;
  readonly budget: number;
  readonly countTokens: TokenCounter;
}

const fitted = new WeakMap<JsonSchema, FittedSchema>();

/**
 * The unchanged schema if it costs at most `budget` tokens. Otherwise the first of these that fits:
 * without prose; without long enums and with nested levels cut to their types; parameter names only.
 * `shortened` says what was left out.
 */
export function fitSchema(schema: JsonSchema, budget: number, countTokens: TokenCounter): Fitted {
  const known = fitted.get(schema);
  if (known?.budget === budget && known.countTokens === countTokens) return known.found;
  const found = shortenedTo(schema, budget, countTokens);
  // A schema that cannot change is shortened once, because each mistake of the model shows it again.
  if (Object.isFrozen(schema) && found.shortened)
    fitted.set(schema, { found, budget, countTokens });
  return found;
}

function shortenedTo(schema: JsonSchema, budget: number, countTokens: TokenCounter): Fitted {
  const fits = (candidate: object) => tokensWithin(candidate, budget, countTokens) <= budget;
  if (fits(schema)) return { schema, shortened: false };
  const all = Object.keys(propertiesOf(schema));
  // All names are kept at any depth, and a name is at least a token.
  const depths = all.length > budget ? [] : [Number.POSITIVE_INFINITY, 3, 1];
  for (const depth of depths) {
    const candidate = new Shortening(charactersOf(budget)).of(schema, depth);
    if (isRecord(candidate) && fits(candidate)) return { schema: candidate, shortened: true };
  }
  let count = all.length;
  while (count > budget) count >>= 1;
  const names = all.slice(0, count).map((name) => name.slice(0, 64));
  while (names.length > 0 && !fits({ properties: names })) names.length = names.length >> 1;
  return { schema: { properties: names }, shortened: true };
}

/** Copies parts of a schema. Stops as soon as the copy exceeds its limit of characters. */
class Shortening {
  #room: number;

  constructor(room: number) {
    this.#room = room;
  }

  /** Undefined if the copy exceeds the limit. */
  of(schema: JsonSchema, depth: number): unknown {
    const copy = this.#copy(schema, depth, false);
    return this.#room < 0 ? undefined : copy;
  }

  /** Keeps all members of `properties` and similar keywords, because they are names and not keywords. */
  #copy(value: unknown, depth: number, isNames: boolean): unknown {
    this.#room -= typeof value === 'string' ? value.length : 1;
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (const item of value) {
        if (this.#room < 0) break;
        items.push(this.#copy(item, depth, false));
      }
      return items;
    }
    if (!isRecord(value)) return value;
    if (depth < 0 && !isNames) return value.type === undefined ? {} : { type: value.type };
    const kept: Record<string, unknown> = Object.create(null);
    for (const key of Object.keys(value)) {
      if (this.#room < 0) break;
      if (!isNames && isLeftOut(key, value[key], depth)) continue;
      this.#room -= key.length;
      const names = !isNames && (key === 'properties' || key === '$defs' || key === 'definitions');
      kept[key] = this.#copy(value[key], names ? depth - 1 : depth, names);
    }
    return kept;
  }
}

function isLeftOut(key: string, value: unknown, depth: number): boolean {
  if (PROSE.has(key)) return true;
  const isCut = key === 'enum' && depth < Number.POSITIVE_INFINITY;
  return isCut && Array.isArray(value) && value.length > LONG_ENUM;
}

/** The length of a description in a shortened definition, in characters. */
const DESCRIPTION_LENGTH = 4_000;

/** The part of a definition that a result contains, by its size in tokens, and whether it is whole. */
export function shownDefinition(
  limits: Limits,
  countTokens: TokenCounter,
  definition: ToolDefinition,
  size: number,
): { shown: ToolDefinition; isWhole: boolean } {
  if (size <= 2 * limits.load) return { shown: definition, isWhole: true };
  const { name, description } = definition;
  const { schema: parameters } = fitSchema(definition.parameters, limits.load, countTokens);
  const shown =
    description === undefined
      ? { name, parameters }
      : { name, description: truncate(description, DESCRIPTION_LENGTH), parameters };
  return { shown, isWhole: false };
}

/** The most values of an `enum` that a signature lists. */
const MAX_VALUES = 4;
const MAX_LENGTH = 300;

/**
 * The parameters of a schema in one line, required ones first:
 * `owner: string, labels?: string[], state?: "open" | "closed"`. At most 300 characters. Types that are
 * not simple are left out.
 */
export function signatureOf(schema: unknown): string {
  const properties = propertiesOf(schema);
  const required = new Set(listIn(schema, 'required'));
  const names = Object.keys(properties);
  const ordered = [
    ...names.filter((name) => required.has(name)),
    ...names.filter((name) => !required.has(name)),
  ];
  const parts: string[] = [];
  let length = 0;
  for (const name of ordered) {
    const type = typeOf(properties[name]);
    const part = `${truncate(name, 60)}${required.has(name) ? '' : '?'}${type === '' ? '' : `: ${type}`}`;
    length += part.length + 2;
    if (length > MAX_LENGTH - 20)
      return [...parts, `and ${ordered.length - parts.length} more`].join(', ');
    parts.push(part);
  }
  return parts.join(', ');
}

function typeOf(schema: unknown): string {
  if (!isRecord(schema)) return '';
  const values = ownProperty(schema, 'enum');
  if (Array.isArray(values) && values.length > 0 && values.length <= MAX_VALUES) {
    const texts = values.map((value) => JSON.stringify(value) ?? '');
    if (texts.every((text) => text.length < 30)) return texts.join(' | ');
  }
  const type = ownProperty(schema, 'type');
  if (type === 'array') {
    const items = typeOf(ownProperty(schema, 'items'));
    return items === '' || items.includes(' ') ? 'array' : `${items}[]`;
  }
  return typeof type === 'string' ? truncate(type, 20) : '';
}
