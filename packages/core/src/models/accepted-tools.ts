import type { AcceptedTools, ToolDefinition } from '../tool/index.ts';
import { isRecord } from '../values/index.ts';

/** Rules of an endpoint for declared tools. What is left out is no rule. */
interface ToolRules {
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
function brokenRule(
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

/** What the endpoint of some models accepts among the tools that a request declares. */
export interface AcceptedToolsRow {
  /** Glob for the AI SDK's `provider`, without regard to case: `anthropic.messages`. */
  readonly provider: string;
  /** Glob for the AI SDK's `modelId`, without regard to case: `claude-opus-5*`. */
  readonly model: string;
  readonly accepts: AcceptedTools;
  /** The source of the row: a URL, or a package and its version. */
  readonly source: string;
  /** Day on which the source was read, YYYY-MM-DD. */
  readonly date: string;
}

/** The rules of an endpoint, and its limits. */
function accepted(limits: Omit<AcceptedTools, 'brokenRule'>, rules: ToolRules = {}): AcceptedTools {
  return { ...limits, brokenRule: (tool) => brokenRule(tool, rules) };
}

const COMBINED = ['anyOf', 'oneOf', 'allOf'] as const;
const PROPERTIES = /^[a-zA-Z0-9_.-]{1,64}$/;

// The message of the endpoint: "input_schema does not support oneOf, allOf, or anyOf at the top level".
const CLAUDE_RULES = {
  names: /^[a-zA-Z0-9_-]{1,128}$/,
  objectWithout: COMBINED,
  properties: PROPERTIES,
} as const;
const CLAUDE = accepted({ by: 'Anthropic' }, CLAUDE_RULES);
const CLAUDE_SOURCE = {
  source:
    'https://platform.claude.com/docs/en/managed-agents/self-hosted-sandboxes; https://github.com/anthropics/claude-code/issues/5973',
  date: '2026-11-28',
} as const;

// The message of the endpoint: "schema must have type 'object' and not have
// 'oneOf'/'anyOf'/'allOf'/'enum'/'const'/'not' at the top level".
const GPT_RULES = {
  names: /^[a-zA-Z0-9_-]{1,64}$/,
  objectWithout: [...COMBINED, 'enum', 'const', 'not'],
  properties: PROPERTIES,
  arraysNeedItems: true,
} as const;
const GPT_LIMITS = { descriptionLength: 1_024, mostForAuto: 128 } as const;
const GPT = accepted({ ...GPT_LIMITS, by: 'OpenAI' }, GPT_RULES);
const GPT_CHAT = accepted({ ...GPT_LIMITS, by: 'OpenAI Chat Completions', most: 128 }, GPT_RULES);
const GPT_SOURCE = {
  source:
    'https://github.com/goruck/home-generative-agent/pull/545; https://github.com/langchain-ai/langchainjs/issues/9804; openai 7.57.0, FunctionDefinition',
  date: '2026-11-28',
} as const;

// The AI SDK sends schemas as `parametersJsonSchema`: the rules of the older field `parameters` may not hold.
const GEMINI = accepted({ by: 'Gemini' }, { names: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/ });

// Such a server may pass requests on to OpenAI, and one refused tool fails them all. Local engines (llama.cpp,
// vLLM, Ollama) document no such rules; there a tool is deferred without need. Of the tools of 36 published
// MCP servers none breaks a rule.
const COMPATIBLE = accepted({ by: 'an OpenAI-compatible server' }, GPT_RULES);

/**
 * The first matching row counts. An endpoint without a row gets every tool. Where a gateway passes the
 * request on, the rules are those of the model.
 */
export const ACCEPTED_TOOLS: readonly AcceptedToolsRow[] = [
  {
    provider: '*bedrock*',
    model: '*claude*',
    accepts: accepted(
      { by: 'Amazon Bedrock' },
      { ...CLAUDE_RULES, names: /^[a-zA-Z0-9_-]{1,64}$/ },
    ),
    source:
      'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html',
    date: '2026-11-28',
  },
  { ...CLAUDE_SOURCE, provider: '*anthropic*', model: '*', accepts: CLAUDE },
  { ...CLAUDE_SOURCE, provider: '*', model: '*claude*', accepts: CLAUDE },
  { ...GPT_SOURCE, provider: 'openai.responses', model: '*', accepts: GPT },
  { ...GPT_SOURCE, provider: 'azure*.responses', model: '*', accepts: GPT },
  { ...GPT_SOURCE, provider: 'openai.chat', model: '*', accepts: GPT_CHAT },
  { ...GPT_SOURCE, provider: 'azure*.chat', model: '*', accepts: GPT_CHAT },
  { ...GPT_SOURCE, provider: 'gateway', model: 'openai/*', accepts: GPT },
  { ...GPT_SOURCE, provider: 'openrouter*', model: 'openai/*', accepts: GPT },
  {
    provider: 'google*',
    model: '*gemini*',
    accepts: GEMINI,
    source:
      'https://googleapis.github.io/java-genai/javadoc/google-genai/com.google.genai.types/-function-declaration/-builder/name.html',
    date: '2026-11-28',
  },
  { ...GPT_SOURCE, provider: '*.chat', model: '*', accepts: COMPATIBLE },
];
