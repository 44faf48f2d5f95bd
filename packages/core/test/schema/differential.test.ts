import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { type OutputUnit, type Schema, type SchemaDraft, validate } from '@cfworker/json-schema';
import { isFull, isQuick } from '@toolfold/testing/test/combinations.test-support.ts';
import { checkBySchema } from '../../src/schema/json-check.ts';
import { MAX_PROBLEMS } from '../../src/tool/tool.ts';
import { isRecord, type JsonSchema, listIn } from '../../src/values/json.ts';
import { truncate, visibleText } from '../../src/values/text.ts';
import {
  Choices,
  DRAFTS,
  randomArguments,
  randomValue,
  SchemaMaker,
} from './random-schema.test-support.ts';

/** What the library says. It checks formats too, which are annotations here. */
function expected(schema: JsonSchema, value: unknown, draft: SchemaDraft): readonly string[] {
  const text = JSON.stringify(schema, (key, member) =>
    key === 'format' && typeof member === 'string' ? undefined : member,
  );
  const { errors } = validate(value, JSON.parse(text) as Schema, draft, undefined, false);
  return textsOf(errors.filter((unit) => !isSummary(unit)));
}

/** Whether an error only reports an error below it. */
function isSummary({ error }: OutputUnit): boolean {
  return error.startsWith('A subschema had errors') || error.endsWith('does not match schema.');
}

/** Texts of the library that mislead or leave out what a model needs, and ours in their place. */
const better: Readonly<Record<string, (text: string) => string>> = {
  maxProperties: (text) => text.replace('does not have at least', 'has more than'),
  exclusiveMinimum: (text) => text.replace('is less than', 'is less than or equal to'),
  pattern: () => 'String does not match the pattern',
  false: () => 'Nothing is allowed here.',
};

function textsOf(errors: readonly OutputUnit[]): string[] {
  const texts = errors.map(({ instanceLocation, keyword, error }) => {
    const where = instanceLocation.replace(/^#/, '') || '/';
    const text =
      error === 'False boolean schema.' ? better.false?.(error) : better[keyword]?.(error);
    return truncate(`${visibleText(where, 80)}: ${visibleText(text ?? error, 200)}`, 200);
  });
  return [...new Set(texts)].slice(0, MAX_PROBLEMS);
}

/** Compares verdict and texts. `partial`: cases in which we list less of what is wrong, beside members that nothing has evaluated. */
function assertEqual(
  schema: JsonSchema,
  value: unknown,
  draft: SchemaDraft,
  partial: object[] = [],
): boolean {
  const problems = expected(schema, value, draft);
  const found = checkBySchema(schema, value);
  const shown = JSON.stringify({ draft, schema, value }, undefined, 1);
  const listed = found.ok ? [] : found.problems;
  // Without the patterns, texts about several of them are one, as in the library.
  const ours = [...new Set(listed.map(withoutPattern))];
  const theirs = listed.length === MAX_PROBLEMS ? problems.slice(0, ours.length) : problems;
  assert.equal(ours.length === 0, problems.length === 0, shown);
  const isPart = shown.includes('"unevaluated') && ours.every((text) => problems.includes(text));
  if (isPart && ours.length < theirs.length) partial.push(schema);
  else assert.deepEqual(ours, theirs, shown);
  assert.equal(found.warning, undefined, shown);
  return found.ok;
}

function withoutPattern(text: string): string {
  return text.replace(/(: String does not match the pattern) .*/s, '$1');
}

const SEEDS = isFull ? 10_000 : isQuick ? 200 : 800;

/** Where this validator follows the specification and the library does not: who accepts the value. */
const differences: readonly (readonly [
  what: string,
  draft: SchemaDraft,
  schema: JsonSchema,
  value: unknown,
  ours: boolean,
  library: boolean | 'throws',
])[] = [
  [
    'in 2019-09, `contains` evaluates no items',
    '2019-09',
    { contains: { type: 'number' }, unevaluatedItems: false },
    [1],
    false,
    true,
  ],
  [
    'a branch does not see which members the schema around it has evaluated',
    '2020-12',
    {
      $defs: { a: { properties: { a: true } } },
      $ref: '#/$defs/a',
      allOf: [{ unevaluatedProperties: false }],
    },
    { a: 1 },
    false,
    true,
  ],
  [
    'a number too large for JavaScript is an integer in a list of types too',
    '2020-12',
    { type: ['integer', 'null'] },
    JSON.parse('1e400'),
    true,
    false,
  ],
  [
    'names may contain lone surrogates',
    '2020-12',
    { properties: { '\ud800': { type: 'number' } } },
    { '\ud800': 'x' },
    false,
    'throws',
  ],
];

const catalogs = new URL('../../../../../shared/catalogs/', import.meta.url);
const skip = existsSync(catalogs) ? false : 'no ../shared/catalogs beside this checkout';

suite('our checks beside those of @cfworker/json-schema', () => {
  for (const draft of Object.keys(DRAFTS) as SchemaDraft[]) {
    test(`promise 38: random schemas of draft ${draft} give the same verdicts and texts`, () => {
      const counts = { valid: 0, invalid: 0 };
      const partial: object[] = [];
      for (let seed = 0; seed < SEEDS; seed++) {
        const random = new Choices(seed);
        const schema = new SchemaMaker(random, draft).root();
        for (let n = 0; n < 6; n++)
          counts[assertEqual(schema, randomValue(random), draft, partial) ? 'valid' : 'invalid']++;
      }
      assert.ok(partial.length <= SEEDS / 1_000, `${partial.length} lists are incomplete`);
      const { valid, invalid } = counts;
      assert.ok(Math.min(valid, invalid) >= (SEEDS * 5) / 8, JSON.stringify(counts));
    });
  }

  for (const [what, draft, schema, value, ours, library] of differences) {
    test(`promise 38: ${what}, unlike in the library`, () => {
      const ofDraft = { $schema: DRAFTS[draft], ...schema };
      assert.equal(checkBySchema(ofDraft, value).ok, ours);
      const check = () => expected(ofDraft, value, draft).length === 0;
      if (library === 'throws') assert.throws(check);
      else assert.equal(check(), library);
    });
  }

  test('promise 38: schemas of published servers give the same verdicts and texts', {
    skip,
  }, () => {
    const random = new Choices(1);
    for (const file of readdirSync(catalogs).filter((name) => name.endsWith('.json'))) {
      const catalog: unknown = JSON.parse(readFileSync(new URL(file, catalogs), 'utf8'));
      for (const tool of listIn(catalog, 'tools')) {
        const schema = isRecord(tool) ? tool.inputSchema : undefined;
        if (!isRecord(schema)) continue;
        const draft = String(schema.$schema).includes('draft-07') ? '7' : '2020-12';
        for (const value of [{}, randomValue(random), randomArguments(random, schema)])
          assertEqual(schema, value, draft);
      }
    }
  });
});
