import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { acceptedToolsOf } from '../models.ts';
import type { JsonSchema } from '../values/json.ts';
import { declarable, STRICT } from './declared-tools.ts';

const MODELS = {
  anthropic: { provider: 'anthropic.messages', modelId: 'claude-opus-5-5' },
  'claude elsewhere': { provider: 'openrouter.chat', modelId: 'anthropic/claude-opus-5.5' },
  responses: { provider: 'openai.responses', modelId: 'gpt-5.4' },
  chat: { provider: 'openai.chat', modelId: 'gpt-4.1' },
  azure: { provider: 'azure.chat', modelId: 'gpt-4.1' },
  gemini: { provider: 'google.generative-ai', modelId: 'gemini-4-argon' },
  local: { provider: 'ollama.chat', modelId: 'qwen3:8b' },
  unknown: { provider: 'of-tomorrow', modelId: 'a-model' },
} as const;

type Name = keyof typeof MODELS;

const CLAUDE: Name[] = ['anthropic', 'claude elsewhere'];
const GPT: Name[] = ['responses', 'chat', 'azure', 'local'];
const ALL: Name[] = [...CLAUDE, ...GPT];

const root = (more: object): JsonSchema => ({ type: 'object', properties: {}, ...more });
const property = (schema: object): JsonSchema => root({ properties: { a: schema } });

/** Who refuses a tool of this name with this schema. */
const ROWS: readonly (readonly [
  title: string,
  schema: JsonSchema,
  refusedBy: Name[],
  name?: string,
])[] = [
  ['a plain object', property({ type: 'string' }), []],
  ['no type, which becomes an object', { properties: {} }, []],
  ['an object or null', root({ type: ['object', 'null'] }), []],
  ['a text', { type: 'string' }, ALL],
  ['only a reference', { $ref: '#/$defs/a', $defs: { a: root({}) } }, ALL],
  ['anyOf', root({ anyOf: [{ required: ['a'] }] }), ALL],
  ['oneOf', root({ oneOf: [{ required: ['a'] }] }), ALL],
  ['allOf', root({ allOf: [{ required: ['a'] }] }), ALL],
  ['anyOf without a type', { anyOf: [root({})] }, ALL],
  ['enum', root({ enum: [{}] }), GPT],
  ['const', root({ const: {} }), GPT],
  ['not', root({ not: { required: ['a'] } }), GPT],
  ['anyOf below the root', property({ anyOf: [{ type: 'string' }, { type: 'null' }] }), []],
  ['a property that is called anyOf', root({ properties: { anyOf: {} } }), []],
  ['a space in a property', root({ properties: { 'a b': {} } }), ALL],
  ['a dot and a dash in a property', root({ properties: { 'a.b-c': {} } }), []],
  ['65 letters in a property', root({ properties: { ['a'.repeat(65)]: {} } }), ALL],
  ['a space in a property below the root', property(root({ properties: { 'a b': {} } })), []],
  ['an array without items', property({ type: 'array' }), GPT],
  ['an array without items, or null', property({ type: ['array', 'null'] }), GPT],
  ['an array with any items', property({ type: 'array', items: {} }), []],
  ['an array with a list of items', property({ type: 'array', items: [{}] }), GPT],
  [
    'an array without items in an array',
    property({ type: 'array', items: { type: 'array' } }),
    GPT,
  ],
  ['an array without items in a union', property({ anyOf: [{ type: 'array' }] }), GPT],
  ['an array without items in definitions', root({ $defs: { a: { type: 'array' } } }), GPT],
  ['what looks like one in a default', property({ default: { type: 'array' } }), []],
  ['a name of 65 letters', root({}), GPT.concat('gemini'), 'a'.repeat(65)],
  ['a name of 129 letters', root({}), ALL.concat('gemini'), 'a'.repeat(129)],
  ['a name that begins with a digit', root({}), ['gemini'], '3d__render'],
];

suite('what may be declared', () => {
  for (const [title, parameters, refusedBy, name = 'tool'] of ROWS) {
    test(`${title}: refused by ${refusedBy.join(', ') || 'nobody'}`, () => {
      const refused = Object.entries(MODELS).flatMap(([by, model]) =>
        declarable({ name, parameters }, acceptedToolsOf(model)).problem === undefined ? [] : by,
      );
      assert.deepEqual(refused.sort(), [...refusedBy].sort());
    });
  }

  test('says the rule and who has it', () => {
    const { problem } = declarable(
      { name: 'a', parameters: root({ anyOf: [] }) },
      acceptedToolsOf(MODELS.anthropic),
    );
    assert.equal(
      problem,
      'Anthropic does not accept it among declared tools: its schema has "anyOf" at its root',
    );
  });

  test('adds the type of a root only where Toolfold sends the tool', () => {
    const tool = { name: 'a', parameters: { properties: {} } };
    const accepted = acceptedToolsOf(MODELS.anthropic);
    assert.deepEqual(declarable(tool, accepted).tool?.parameters, {
      properties: {},
      type: 'object',
    });
    assert.match(declarable(tool, accepted, { asItIs: true }).problem ?? '', /type "object"/);
    assert.equal(declarable(tool, undefined).tool, tool);
  });

  test('is strict for a host that says nothing of its endpoint', () => {
    const { problem } = declarable({ name: 'a', parameters: root({ $ref: '#' }) }, STRICT);
    assert.match(problem ?? '', /not a plain object/);
  });

  test('takes a schema of a million parts in its stride', () => {
    const anyOf = Array.from({ length: 1_000_000 }, () => ({ type: 'string' }));
    const tool = { name: 'a', parameters: property({ anyOf }) };
    assert.equal(declarable(tool, acceptedToolsOf(MODELS.chat)).problem, undefined);
  });
});
