import type { WireProvider } from '../../src/wire/recorded-request.ts';
import { type RefusalCase, testRefusals } from './refusal.test-support.ts';

type Declared = Record<string, unknown>;

/** A tool in each provider's form. */
const FORMS: Readonly<Record<WireProvider, (name: string, schema: Declared) => Declared>> = {
  anthropic: (name, schema) => ({ name, input_schema: schema }),
  'openai-responses': (name, schema) => ({ type: 'function', name, parameters: schema }),
  'openai-chat': (name, schema) => ({ type: 'function', function: { name, parameters: schema } }),
};

const ask = { role: 'user', content: 'Go.' };
const root = { type: 'object', properties: { path: { type: 'string' } } };
const list = (schema: Declared) => ({ type: 'object', properties: { list: schema } });

/** Rows: what, name, schema, what Anthropic says, what OpenAI says. */
type Row = readonly [
  what: string,
  name: string,
  schema: Declared,
  anthropic: RegExp | 'accepted',
  openai: RegExp | 'accepted',
];

const AT_ROOT = /does not support oneOf, allOf, or anyOf at the top level/;
const NOT_AT_ROOT = /schema must have type 'object' and not have 'oneOf'/;

const ROWS: readonly Row[] = [
  ['an object at the root', 'read', root, 'accepted', 'accepted'],
  ['no type at the root', 'read', { properties: {} }, /type: Input should be 'object'/, /None/],
  ...['anyOf', 'oneOf', 'allOf'].map(
    (keyword): Row => [
      `${keyword} at the root`,
      'read',
      { ...root, [keyword]: [{ required: ['path'] }] },
      AT_ROOT,
      NOT_AT_ROOT,
    ],
  ),
  ...(['enum', 'const', 'not'] as const).map(
    (keyword): Row => [
      `${keyword} at the root`,
      'read',
      { ...root, [keyword]: keyword === 'enum' ? [{}] : {} },
      'accepted',
      NOT_AT_ROOT,
    ],
  ),
  ['anyOf below the root', 'read', list({ anyOf: [{ type: 'string' }] }), 'accepted', 'accepted'],
  [
    'a key with brackets at the root',
    'read',
    { type: 'object', properties: { 'filter[id]': { type: 'string' } } },
    /properties: Property keys should match pattern/,
    'accepted',
  ],
  [
    'a key of 65 characters at the root',
    'read',
    { type: 'object', properties: { ['k'.repeat(65)]: { type: 'string' } } },
    /Property keys should match pattern/,
    'accepted',
  ],
  [
    'a key with brackets below the root',
    'read',
    list({ type: 'object', properties: { 'filter[id]': { type: 'string' } } }),
    'accepted',
    'accepted',
  ],
  [
    'an array without items',
    'read',
    list({ type: 'array' }),
    'accepted',
    /In context=\('properties', 'list'\), array schema missing items/,
  ],
  [
    'an array without items in a choice',
    'read',
    list({ anyOf: [{ type: ['array', 'null'], prefixItems: [{ type: 'number' }] }] }),
    'accepted',
    /In context=\('properties', 'list', 'anyOf', '0'\), array schema missing items/,
  ],
  [
    'a parameter called items',
    'read',
    list({ type: 'object', properties: { items: {} } }),
    'accepted',
    'accepted',
  ],
  ['a name of 64 characters', 'n'.repeat(64), root, 'accepted', 'accepted'],
  ['a name of 65 characters', 'n'.repeat(65), root, 'accepted', /maximum length 64/],
  [
    'a name of 129 characters',
    'n'.repeat(129),
    root,
    /name: String should match/,
    /maximum length 64/,
  ],
];

for (const provider of ['anthropic', 'openai-responses', 'openai-chat'] as const) {
  const cases = ROWS.map(
    ([what, name, schema, anthropic, openai]): RefusalCase => [
      what,
      {
        tools: [FORMS[provider](name, schema)],
        [provider === 'openai-responses' ? 'input' : 'messages']: [ask],
      },
      provider === 'anthropic' ? anthropic : openai,
    ],
  );
  testRefusals(provider, cases, ', declared tools');
}
