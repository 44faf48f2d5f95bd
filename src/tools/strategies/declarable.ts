import type { ToolDefinition } from '../tool/index.ts';
import { isRecord } from '../values/index.ts';

/** What an endpoint accepts among the tools that a request declares. What is left out has no limit. */
export interface AcceptedTools {
  /** The endpoint, as warnings and `explain` name it. */
  readonly by: string;
  /** Which names tools may have. */
  readonly names?: RegExp;
  /** The root of a schema must say that it is an object, and must not have these keywords. */
  readonly objectWithout?: readonly string[];
  /** Which names the properties at the root may have. */
  readonly properties?: RegExp;
  /** Each array in a schema must say what its items are. */
  readonly arraysNeedItems?: boolean;
  /** The most tools that a request may declare. */
  readonly most?: number;
  /** Longer descriptions may be refused. */
  readonly descriptionLength?: number;
  /** More tools have failed, without a documented limit: `auto` does not declare them. */
  readonly mostForAuto?: number;
}

/** The rules for hosts that say nothing of their endpoint: those on which Anthropic and OpenAI agree, and more. */
export const STRICT: AcceptedTools = {
  by: 'a provider',
  objectWithout: ['anyOf', 'oneOf', 'allOf', 'enum', 'const', 'not', '$ref'],
};

/** A tool in the form in which it may be declared, or the rule that it breaks. */
export type Declarable =
  | { readonly tool: ToolDefinition; readonly problem?: undefined }
  | { readonly tool?: undefined; readonly problem: string };

/**
 * Whether an endpoint takes a tool among the declared ones. A schema without a type gets one where that
 * does not change its meaning; with `asItIs` it does not, because somebody else sends the tool.
 */
export function declarable(
  tool: ToolDefinition,
  accepted: AcceptedTools | undefined,
  { asItIs = false }: { readonly asItIs?: boolean } = {},
): Declarable {
  if (!accepted) return { tool };
  const all = judged.get(accepted) ?? { typed: new WeakMap(), asItIs: new WeakMap() };
  judged.set(accepted, all);
  const known = asItIs ? all.asItIs : all.typed;
  const verdict = known.get(tool) ?? judge(tool, accepted, asItIs);
  known.set(tool, verdict);
  return verdict;
}

type Verdicts = WeakMap<ToolDefinition, Declarable>;

/** A definition does not change, and is sent with every request. */
const judged = new WeakMap<AcceptedTools, Readonly<Record<'typed' | 'asItIs', Verdicts>>>();

function judge(tool: ToolDefinition, accepted: AcceptedTools, asItIs: boolean): Declarable {
  const typed = asItIs || !accepted.objectWithout ? tool : withObjectRoot(tool);
  const rule = brokenRule(typed, accepted);
  return rule === undefined
    ? { tool: typed }
    : { problem: `${accepted.by} does not accept it among declared tools: ${rule}` };
}

/** The definition with a root that says that it is an object, if it can be nothing else. */
export function withObjectRoot(tool: ToolDefinition): ToolDefinition {
  const { type } = tool.parameters;
  const mayBeObject = type === undefined || (Array.isArray(type) && type.includes('object'));
  const isCombined = STRICT.objectWithout?.some((keyword) =>
    Object.hasOwn(tool.parameters, keyword),
  );
  return mayBeObject && !isCombined
    ? { ...tool, parameters: { ...tool.parameters, type: 'object' } }
    : tool;
}

function brokenRule({ name, parameters }: ToolDefinition, accepted: AcceptedTools) {
  const { names, objectWithout, properties, arraysNeedItems } = accepted;
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
