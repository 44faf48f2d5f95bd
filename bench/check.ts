/**
 * Measures the check of arguments: checks per second by the schemas of published servers, beside the
 * library that the tests compare it with, and the longest checks of schemas that are made to take long.
 * Each check of such a schema also reads it. Times are those of the processor.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type Schema, Validator } from '@cfworker/json-schema';
import { checkBySchema } from '../packages/core/src/schema/json-check.ts';
import { isRecord, type JsonSchema, listIn } from '../packages/core/src/values/json.ts';
import {
  Choices,
  randomArguments,
} from '../packages/core/test/schema/random-schema.test-support.ts';

const catalogs = new URL('../../shared/catalogs/', import.meta.url);
const RUNS = 20;

/** The milliseconds that the processor needs. */
function measured(run: () => unknown): number {
  const before = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

function say(what: string, value: string): void {
  console.log(`  ${what.padEnd(52)}${value.padStart(12)}`);
}

/** The schemas of all tools with arguments, some of which are wrong. */
function realCalls(): { schema: JsonSchema; values: readonly unknown[] }[] {
  const files = readdirSync(catalogs).filter((name) => name.endsWith('.json'));
  const tools = files.flatMap((file) => {
    const catalog: unknown = JSON.parse(readFileSync(new URL(file, catalogs), 'utf8'));
    return listIn(catalog, 'tools');
  });
  const random = new Choices(1);
  return tools.flatMap((tool) => {
    const schema = isRecord(tool) ? tool.inputSchema : undefined;
    if (!isRecord(schema)) return [];
    const values = Array.from({ length: 5 }, () => randomArguments(random, schema));
    return [{ schema, values }];
  });
}

/** Says how many checks a second take place, and how long the first check of a schema takes. */
function compare(what: string, prepare: (schema: JsonSchema) => (value: unknown) => unknown): void {
  const calls = realCalls();
  let checks: { check: (value: unknown) => unknown; values: readonly unknown[] }[] = [];
  const first = measured(() => {
    checks = calls.map(({ schema, values }) => ({ check: prepare(schema), values }));
    for (const { check, values } of checks) check(values[0]);
  });
  const all = () => {
    for (const { check, values } of checks) for (const value of values) check(value);
  };
  all();
  const later = measured(() => {
    for (let n = 0; n < RUNS; n++) all();
  });
  const count = RUNS * calls.length * (calls[0]?.values.length ?? 0);
  say(`${what}: the first check of a schema`, `${((1_000 * first) / calls.length).toFixed(1)} µs`);
  say(`${what}: later checks`, `${Math.round((1_000 * count) / later).toLocaleString('en')} /s`);
}

console.log('Checks of arguments by the schemas of published servers');
if (existsSync(catalogs)) {
  compare('these checks', (schema) => (value) => checkBySchema(schema, value));
  compare('@cfworker/json-schema alone', (schema) => {
    const draft = String(schema.$schema).includes('draft-07') ? '7' : '2020-12';
    const validator = new Validator(structuredClone(schema) as Schema, draft, false);
    return (value) => validator.validate(value);
  });
} else console.log('  Skipped: no ../shared/catalogs beside this checkout.');

const list = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const HOSTILE: Readonly<Record<string, () => readonly [schema: JsonSchema, value: unknown]>> = {
  'references that double': () => [
    {
      $ref: '#/$defs/d0',
      $defs: Object.fromEntries(
        list(40, (i) => [`d${i}`, { allOf: list(2, () => ({ $ref: `#/$defs/d${i + 1}` })) }]),
      ),
    },
    1,
  ],
  'many ids': () => [
    { anyOf: list(50_000, (i) => ({ $id: `https://x.test/${i}` })), $ref: '#gone' },
    1,
  ],
  'many branches for many items': () => [
    { items: { anyOf: list(2_000, (i) => ({ const: i })) } },
    list(2_000, () => 'x'),
  ],
  'equal items': () => [{ uniqueItems: true }, list(2_000, (i) => ({ x: { y: [i] } }))],
  'many properties of many schemas': () => [
    {
      allOf: list(1_000, () => ({
        properties: Object.fromEntries(list(90, (i) => [`p${i}`, { type: 'null' }])),
      })),
    },
    Object.fromEntries(list(90, (i) => [`p${i}`, 1])),
  ],
  'patterns for many names': () => [
    { patternProperties: Object.fromEntries(list(500, (i) => [`^p${i}x?$`, {}])) },
    Object.fromEntries(list(5_000, (i) => [`p${i}`, 1])),
  ],
};
console.log('The longest of three checks that are made to take long');
for (const [what, make] of Object.entries(HOSTILE)) {
  const times = list(3, () => {
    const [schema, value] = make();
    return measured(() => checkBySchema(schema, value));
  });
  say(what, `${Math.max(...times).toFixed(0)} ms`);
}
