import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Schema, Validator } from '@cfworker/json-schema';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { isRecord } from '@toolfold/core/internal/values/json.ts';
import { JsonSource } from '../json-source.ts';
import { fileSchema, readSettings } from './read-settings.ts';

const schema = fileSchema() as Schema;
const validator = new Validator(schema, '7');

/** Values of each JSON type, and of each kind that settings distinguish. */
const VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  0.5,
  7,
  12,
  901,
  20_000,
  2 ** 60,
  '',
  ' \t',
  'zzz',
  'sk-0123456789abcdef',
  [],
  ['zzz'],
  ['zzz', 'zzz'],
  [1],
  [''],
  [['zzz']],
  {},
  { zzz: 1 },
];

const COUNTS = [1, 7, 12, 901, 20_000];
const FLAGS = [true, false];
const LISTS = [[], ['zzz'], ['zzz', 'zzz']];
const AMOUNTS = [0, 0.5, 7];
const NAMES = ['zzz', 'sk-0123456789abcdef'];
const OBJECT = /an object with the keys /;
const COUNT = /a whole number of at least 1/;
const FLAG = /true or false/;
const LIST = /a list of strings|a string that is not blank/;
const NAME = /a string that is not blank/;
const AMOUNT = /a number, 0 or more/;

/** A setting: values that it accepts besides `VALUES`, which of `VALUES` it accepts, and the message for the others. */
type Row = readonly [
  path: string,
  right: readonly unknown[],
  of: readonly unknown[],
  expected: RegExp,
];

const role = { tools: ['github__*'], groups: ['mcp:github'], model: 'a/b', maxRounds: 3 };
const address = 'https://llm.example.com/v1';
const price = { input: 0, output: 1.5, cacheRead: 0.1, cacheWrite: 2 };
const category = { words: ['owl'], tools: ['mcp:birds'], not: ['night owl'] };
const budget = { tokens: 5, cost: 0.5 };

/** `*` stands for a name that the user chooses. */
const ROWS: readonly Row[] = [
  ['strategy', ['eager', 'dispatch', 'auto'], [false], /one of eager, .*auto, or false/],
  ['exposure', [{ 'mcp:a': 'hidden' }], [{}], /an object|one of inline, deferred, hidden/],
  ['exposure.*', ['inline', 'deferred', 'hidden'], [], /one of inline, deferred, hidden/],
  ['catalog', [{ header: '', budget: 5, hints: false }], [{}], OBJECT],
  ['catalog.header', ['Tools:'], ['', ' \t', ...NAMES], /a string/],
  ['catalog.budget', [4000, 'none'], [...COUNTS], COUNT],
  ['catalog.hints', [], FLAGS, FLAG],
  ['cache', ['auto', { ttl: '1h' }, { key: 'a' }], [false, {}], /auto, false or an object/],
  ['cache.ttl', ['5m', '1h'], [], /one of 5m, 1h/],
  ['cache.key', ['a'], NAMES, NAME],
  ['roles', [{ reader: role }], [{}], /an object/],
  ['roles.*', [role], [{}], OBJECT],
  ['roles.*.tools', [['mcp:a/*']], [false, ...LISTS], /a list of strings, or false|not blank/],
  ['roles.*.groups', [['mcp:a']], LISTS, LIST],
  ['roles.*.model', ['openai/gpt-5'], NAMES, NAME],
  ['roles.*.maxRounds', [], [...COUNTS], COUNT],
  ['categories', [{ birds: category, web: false }], [{}], /an object/],
  ['categories.*', [category], [false], /an object with words and tools, or false/],
  ['categories.*.words', [['owl']], LISTS, LIST],
  ['categories.*.tools', [['mcp:birds']], LISTS, LIST],
  ['categories.*.not', [['night owl']], LISTS, LIST],
  ['routing', ['off', 'preload', 'narrow'], [], /one of off, preload, narrow/],
  ['projectInstructions', [], FLAGS, FLAG],
  ['maxRounds', [], [...COUNTS], COUNT],
  ['maxRequests', [], [...COUNTS], COUNT],
  ['maxTokens', [], [...COUNTS], COUNT],
  ['maxResultLength', [100], [901, 20_000], /a whole number of at least 100/],
  ['models', [{ m: { price } }], [{}], /an object/],
  ['models.*', [{ maxRounds: 1, contextWindow: 1, strategy: 'lazy', price }], [{}], OBJECT],
  ['models.*.maxRounds', [], [...COUNTS], COUNT],
  ['models.*.contextWindow', [400_000], [...COUNTS], COUNT],
  ['models.*.images', [], FLAGS, FLAG],
  ['models.*.strategy', ['native'], [false], /one of eager, .*auto, or false/],
  ['models.*.cache', ['auto'], [false, {}], /auto, false or an object/],
  ['models.*.cache.ttl', ['5m', '1h'], [], /one of 5m, 1h/],
  ['models.*.cache.key', ['a'], NAMES, NAME],
  ['models.*.price', [price, { input: 0, output: 0 }], [], OBJECT],
  ['models.*.price.input', AMOUNTS, [1, 12, 901, 20_000, 2 ** 60], AMOUNT],
  ['models.*.price.output', AMOUNTS, [1, 12, 901, 20_000, 2 ** 60], AMOUNT],
  ['models.*.price.cacheRead', AMOUNTS, [1, 12, 901, 20_000, 2 ** 60], AMOUNT],
  ['models.*.price.cacheWrite', AMOUNTS, [1, 12, 901, 20_000, 2 ** 60], AMOUNT],
  ['currency', ['EUR', 'USD'], [], /three capital letters/],
  ['notify', ['bell', 'desktop', 'off'], [], /one of bell, desktop, off/],
  ['providers', [{ a: { address } }], [{}], /an object/],
  ['providers.*', [{ address, key: 'A_KEY', protocol: 'openai' }], [], OBJECT],
  [
    'providers.*.address',
    [address, 'http://[::1]:1/v1', 'https://a.example.com'],
    [],
    /a URL that begins/,
  ],
  ['providers.*.key', ['A', 'A_API_KEY2'], [], /the name of a variable/],
  ['providers.*.protocol', ['openai-compatible', 'anthropic'], [], /one of openai-compatible, /],
  ['titles', ['a/b'], [...FLAGS, ...NAMES], /true, false, or a model|not blank/],
  ['approvals', [{ mode: 'always', allow: [] }], [{}], OBJECT],
  ['approvals.mode', ['annotations', 'always', 'never'], [], /one of annotations, always, never/],
  [
    'approvals.allow',
    [
      ['github__get_*'],
      [{ tool: 'a', arguments: { b: 'c*', d: 1, e: null } }, { tools: { a: 'f', b: 'g' } }],
    ],
    LISTS,
    /a list of globs|a glob, an object|not blank/,
  ],
  ['subagents', [{ roles: ['a'], wide: true }], [...FLAGS, {}], /an object, true or false/],
  ['subagents.roles', [['a', 'b']], [['zzz']], /a list of names of roles, at least one|not blank/],
  ['subagents.wide', [], FLAGS, FLAG],
  ['subagents.warmCache', [], FLAGS, FLAG],
  ['subagents.concurrency', [8], [1, 7], /from 1 to 8, or from 1 to 12 with `wide`/],
  ['subagents.timeout', [900], [1, 7, 12], /a whole number from 1 to 900/],
  ['subagents.depth', [4], [1], /a whole number from 1 to 4/],
  ['subagents.budget', [budget, { tokens: 1 }, { cost: 1 }], [], /an object with|`tokens` or/],
  ['subagents.budget.tokens', [], [...COUNTS], COUNT],
  ['subagents.budget.cost', [0.25], [1, 0.5, 7, 12, 901, 20_000, 2 ** 60], /a number above 0/],
  ['subagents.maxRounds', [], [...COUNTS], COUNT],
  ['subagents.instructions', ['Be brief.'], NAMES, NAME],
  ['subagents.withhold', [['mail__*']], LISTS, LIST],
  ['subagents.resultBytes', [10_000, 10_000_000], [20_000], /from 10000 to 10000000/],
  ['servers', [{ github: { trusted: true } }], [{}], /an object/],
  ['servers.*', [{ trusted: false }], [{}], OBJECT],
  ['servers.*.trusted', [], FLAGS, FLAG],
  ['servers.*.sampling', [{ maxCalls: 1 }], [...FLAGS, {}], /an object, true or false/],
  ['servers.*.sampling.maxCalls', [], [...COUNTS], COUNT],
  ['servers.*.sampling.maxTokens', [], [...COUNTS], COUNT],
  ['serve', [{ mode: 'eager', check: false }], [{}], OBJECT],
  ['serve.mode', ['passthrough', 'eager'], [], /one of bridge, dispatch, eager, passthrough/],
  ['serve.check', [], FLAGS, FLAG],
];

/** The other required keys of an object when one of its keys is tested. */
const REQUIRED: Readonly<Record<string, object>> = {
  'categories.*': { words: [], tools: [] },
  'models.*.price': { input: 1, output: 1 },
  'providers.*': { address },
};

/** A file with the value for the setting, and the column of the value. */
function fileWith(path: string, value: unknown): { text: string; column: number } {
  const MARK = '\u0001';
  const keys = path.split('.');
  const block = keys.reduceRight<unknown>((inside, key, index) => {
    const others = REQUIRED[keys.slice(0, index).join('.')] ?? {};
    return { ...others, [key === '*' ? 'my name' : key]: inside };
  }, MARK);
  const [before = '', after = ''] = JSON.stringify({ toolfold: block }).split('"\\u0001"');
  return { text: `${before}${JSON.stringify(value)}${after}`, column: before.length + 1 };
}

/** The error message for a file, or undefined if it is valid. */
function complaint(text: string): string | undefined {
  const source = new JsonSource('c.json', text);
  const block = source.members(source.root).get('toolfold')?.value ?? assert.fail();
  try {
    readSettings(source, block);
    return;
  } catch (error) {
    assert.ok(error instanceof ToolfoldError && error.code === 'invalid-config', String(error));
    return error.message;
  }
}

function isIn(values: readonly unknown[], value: unknown): boolean {
  return values.some((one) => JSON.stringify(one) === JSON.stringify(value));
}

/** The paths of all settings of a schema. */
function pathsIn(node: unknown, path: string): string[] {
  if (!isRecord(node)) return [];
  const inside = Object.entries(isRecord(node.properties) ? node.properties : {}).flatMap(
    ([key, child]) => [`${path}.${key}`, ...pathsIn(child, `${path}.${key}`)],
  );
  const named = isRecord(node.additionalProperties)
    ? [`${path}.*`, ...pathsIn(node.additionalProperties, `${path}.*`)]
    : [];
  const either = Array.isArray(node.anyOf) ? node.anyOf : [];
  return [...inside, ...named, ...either.flatMap((child) => pathsIn(child, path))];
}

suite('the settings of a file', () => {
  test('every setting has a row, and a description for editors', () => {
    const block = schema.properties?.toolfold;
    const paths = pathsIn(block, '').map((path) => path.slice(1));
    assert.deepEqual([...new Set(paths)].sort(), ROWS.map(([path]) => path).sort());
    const undescribed = paths.filter((path) => !path.endsWith('*') && !description(block, path));
    assert.deepEqual(undescribed, []);
  });

  for (const [path, right, among, expected] of ROWS) {
    const name = `toolfold.${path.replace('*', '"my name"')}`;

    test(`${path}: valid values are accepted, by the JSON Schema too`, () => {
      for (const value of [...right, ...among]) {
        const { text } = fileWith(path, value);
        assert.equal(complaint(text), undefined, text);
        assert.ok(validator.validate(JSON.parse(text)).valid, text);
      }
    });

    test(`${path}: invalid values are refused with place and expectation, by the JSON Schema too`, () => {
      for (const value of VALUES) {
        if (isIn([...right, ...among], value)) continue;
        const { text, column } = fileWith(path, value);
        const message = complaint(text) ?? assert.fail(`taken: ${text}`);
        assert.ok(!validator.validate(JSON.parse(text)).valid, `taken by the schema: ${text}`);
        const at = Number(/^c\.json:1:(\d+): /.exec(message)?.[1]);
        const isWhole = typeof value !== 'object' || value === null;
        assert.ok(isWhole ? at === column : at >= column, `${text}: ${message}`);
        assert.ok(message.includes(name), message);
        assert.doesNotMatch(message, /sk-0123/, 'it may be secret');
        if (/Unknown key|is blank\. (?:Expected|Fill it in)/.test(message)) continue;
        if (!/lacks/.test(message)) assert.match(message, expected, text);
      }
    });
  }

  test('blank or reserved names of the user are refused at their position', () => {
    for (const key of ['exposure', 'roles', 'categories', 'models', 'servers']) {
      for (const name of ['', ' ', '__proto__']) {
        const text = `{"toolfold":{"${key}":{"${name}":false}}}`;
        const message = complaint(text) ?? assert.fail(text);
        assert.ok(
          message.startsWith(
            `c.json:1:${text.indexOf(`"${name}"`) + 1}: ${name === '__proto__' ? 'The' : 'a'} name`,
          ),
          message,
        );
      }
    }
  });

  test('more than eight subagents at once need `wide`', () => {
    for (const wide of [true, false, undefined]) {
      const text = JSON.stringify({ toolfold: { subagents: { wide, concurrency: 9 } } });
      assert.equal(complaint(text) === undefined, wide === true, text);
      assert.equal(validator.validate(JSON.parse(text)).valid, wide === true, text);
    }
  });

  test('unset settings stay unset, and set ones are kept', () => {
    const toolfold = {
      strategy: false,
      roles: { reader: role },
      models: { m: { strategy: false } },
    };
    const source = new JsonSource('c.json', JSON.stringify(toolfold));
    assert.deepEqual(readSettings(source, source.root), {
      strategy: false,
      roles: { reader: role },
      models: { m: { strategy: false } },
    });
  });
});

function description(node: unknown, path: string): unknown {
  let found = node;
  for (const key of path.split('.')) {
    const forms: unknown[] =
      isRecord(found) && Array.isArray(found.anyOf) ? [found, ...found.anyOf] : [found];
    const next = forms.flatMap((form) => {
      if (!isRecord(form)) return [];
      const inside = key === '*' ? form.additionalProperties : undefined;
      return inside ?? (isRecord(form.properties) ? (form.properties[key] ?? []) : []);
    });
    found = next[0];
  }
  return isRecord(found) ? found.description : undefined;
}
