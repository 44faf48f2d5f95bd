import type { Tool, ToolCallOptions } from '@toolfold/core/internal/tool';
import { checkKnown, type JsonSchema, type KnownOptions } from '@toolfold/core/internal/values';

/** Options of a fake tool. */
export interface FakeToolOptions {
  /** Default: 1. The same number and seed give the same tool. */
  readonly seed?: number;
  readonly name?: string;
  /** Default: returns `{ tool, input }`. */
  readonly execute?: (input: unknown, options: ToolCallOptions) => unknown;
}

const FAKE_TOOL_OPTIONS: KnownOptions<FakeToolOptions> = {
  seed: true,
  name: true,
  execute: true,
};

/**
 * Creates a tool like those of real servers: a description and two to five parameters, some required,
 * with enums, lists and nested objects. Different numbers give different names.
 */
export function fakeTool(n: number, options: FakeToolOptions = {}): Tool {
  checkKnown('fakeTool()', options, FAKE_TOOL_OPTIONS);
  const pick = picker(n, options.seed ?? 1);
  const [verb, does] = at(VERBS, n);
  const noun = at(NOUNS, Math.floor(n / VERBS.length));
  const round = Math.floor(n / (VERBS.length * NOUNS.length));
  const name = options.name ?? `${verb}_${noun}${round === 0 ? '' : `_${round + 1}`}`;
  const readable = noun.replaceAll('_', ' ');
  return {
    name,
    description: `${does} ${readable} in the workspace. ${pick(REMARKS)}`,
    inputSchema: objectSchema(pick, readable),
    annotations: { readOnlyHint: READING.has(verb) },
    execute: options.execute ?? ((input) => ({ tool: name, input })),
  };
}

/** Creates the first `count` fake tools of a seed. */
export function fakeTools(count: number, seed = 1): Tool[] {
  return Array.from({ length: count }, (_, n) => fakeTool(n, { seed }));
}

type PickRandom = <T>(from: readonly T[]) => T;

// A linear congruential generator with the constants of Numerical Recipes. It needs no statistical
// quality, only the same choices on every machine.
function picker(n: number, seed: number): PickRandom {
  let state = (seed * 7919 + n * 104_729) >>> 0;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
  for (let warmUp = 0; warmUp < 3; warmUp++) next();
  return (from) => at(from, next());
}

function objectSchema(pick: PickRandom, noun: string): JsonSchema {
  const count = pick([2, 3, 4, 5]);
  const properties: Record<string, JsonSchema> = {
    [`${noun.replaceAll(' ', '_')}_id`]: { type: 'string', description: `Which ${noun}.` },
  };
  while (Object.keys(properties).length < count) {
    const [key, schema] = pick(PARAMETERS);
    properties[key] = schema;
  }
  const names = Object.keys(properties);
  return {
    type: 'object',
    properties,
    required: names.slice(0, pick([1, 1, 2])),
    additionalProperties: false,
  };
}

function at<T>(from: readonly T[], index: number): T {
  const found = from[index % from.length];
  if (found === undefined) throw new RangeError('There is nothing to pick from.');
  return found;
}

const VERBS: readonly (readonly [verb: string, does: string])[] = [
  ['list', 'Lists each'],
  ['get', 'Fetches one'],
  ['create', 'Creates a new'],
  ['update', 'Changes an existing'],
  ['delete', 'Removes for good a'],
  ['search', 'Finds any'],
  ['archive', 'Puts away a'],
  ['assign', 'Gives someone a'],
];

const READING = new Set(['list', 'get', 'search']);

const NOUNS: readonly string[] = [
  'issue',
  'branch',
  'invoice',
  'calendar_event',
  'customer',
  'deployment',
  'document',
  'email_thread',
  'feature_flag',
  'incident',
  'milestone',
  'payment',
  'pull_request',
  'release',
  'shipment',
  'subscription',
  'support_ticket',
  'survey',
  'webhook',
  'work_order',
];

const REMARKS: readonly string[] = [
  'Answers with the record as it then is.',
  'Needs write access to the project.',
  'Archived entries are left out unless asked for.',
  'Use the filter to keep the answer short.',
  'Fails if the record was changed in the meantime.',
];

const PARAMETERS: readonly (readonly [key: string, schema: JsonSchema])[] = [
  ['title', { type: 'string', minLength: 1, maxLength: 200, description: 'A short headline.' }],
  ['body', { type: 'string', description: 'The full text; Markdown is allowed.' }],
  ['limit', { type: 'integer', minimum: 1, maximum: 100, description: 'At most so many.' }],
  ['dry_run', { type: 'boolean', description: 'Only say what would happen.' }],
  ['state', { type: 'string', enum: ['open', 'closed', 'all'], description: 'Which to include.' }],
  ['labels', { type: 'array', items: { type: 'string' }, description: 'Labels to set.' }],
  ['due', { type: 'string', format: 'date', description: 'The day, as year-month-day.' }],
  ['amount', { type: 'number', exclusiveMinimum: 0, description: 'In the account currency.' }],
  [
    'priority',
    { type: 'string', enum: ['low', 'normal', 'high', 'urgent'], description: 'How pressing.' },
  ],
  [
    'assignee',
    {
      type: 'object',
      description: 'Who takes it.',
      properties: {
        email: { type: 'string', description: 'Address of the person.' },
        role: { type: 'string', enum: ['owner', 'reviewer', 'watcher'] },
      },
      required: ['email'],
    },
  ],
  [
    'filter',
    {
      type: 'object',
      description: 'Narrows the answer.',
      properties: {
        text: { type: 'string', description: 'Words that must occur.' },
        changed: {
          type: 'object',
          properties: {
            after: { type: 'string', format: 'date-time' },
            before: { type: 'string', format: 'date-time' },
          },
        },
      },
    },
  ],
  [
    'lines',
    {
      type: 'array',
      description: 'The single positions.',
      items: {
        type: 'object',
        properties: {
          sku: { type: 'string', description: 'Article number.' },
          quantity: { type: 'integer', minimum: 1 },
        },
        required: ['sku', 'quantity'],
      },
    },
  ],
];
