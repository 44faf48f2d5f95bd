import type { ToolDefinition } from '../../tools/tool/index.ts';
import { isRecord } from '../../tools/values/index.ts';

/** Rules of an endpoint for declared tools. What is left out is no rule. */
export interface ToolRules {
  /** Which names tools may have. */
  readonly names?: RegExp;
  /** The root of a schema must say that it is an object, and must not have these keywords. */
  readonly objectWithout?: readonly string[];
  /** Which names the properties at the root may have. */
  readonly properties?: RegExp;
  /** Each array in a schema must say what its items are. */
  readonly arraysNeedItems?: boolean;
}

/** The rule that a tool breaks, as a clause. */
export function brokenRule(
  { name, parameters }: ToolDefinition,
  { names, objectWithout, properties, arraysNeedItems }: ToolRules,
): string | undefined {
  if (names?.test(name) === false) return `a name must match ${names.source}`;
  if (objectWithout) {
    if (parameters.type !== 'object')
      return 'its schema does not have the type "object" at its root';
    const refused = objectWithout.find((keyword) => Object.hasOwn(parameters, keyword));
    if (refused !== undefined) return `its schema has "${refused}" at its root`;
  }
  if (properties) {
    const keys = isRecord(parameters.properties) ? Object.keys(parameters.properties) : [];
    const odd = keys.find((key) => !properties.test(key));
    if (odd !== undefined)
      return `the names of properties at the root must match ${properties.source}, and ${JSON.stringify(odd.slice(0, 80))} does not`;
  }
  if (arraysNeedItems && hasArrayWithoutItems(parameters))
    return 'an array in its schema has no "items"';
  return;
}

const SCHEMAS_BY_NAME = [
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
];
const SCHEMA_LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const SCHEMAS = [
  'items',
  'additionalProperties',
  'additionalItems',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
];

/** Whether a schema, or one within it, describes an array and not its items by one schema. */
function hasArrayWithoutItems(root: unknown): boolean {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const schema = open.pop();
    if (!isRecord(schema)) continue;
    const { type, items } = schema;
    const isArray = type === 'array' || (Array.isArray(type) && type.includes('array'));
    if (isArray && !isRecord(items) && typeof items !== 'boolean') return true;
    for (const key of SCHEMAS) open.push(schema[key]);
    for (const key of SCHEMA_LISTS) addAll(open, schema[key]);
    for (const key of SCHEMAS_BY_NAME)
      if (isRecord(schema[key])) addAll(open, Object.values(schema[key]));
  }
  return false;
}

/** A spread of a huge list would overflow the stack. */
function addAll(open: unknown[], more: unknown): void {
  if (Array.isArray(more)) for (const one of more) open.push(one);
}
