import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { readArguments } from '../bench/search/arguments.ts';
import { changesTable, gainTable, lineOf } from '../bench/search/tune/index.ts';
import { candidatesOf, numbersOf } from '../bench/search/tune/numbers.ts';
import { ndcgOf, readTuningSets } from '../bench/search/tune/objective.ts';
import { coordinateSteps, type Step } from '../bench/search/tune/steps.ts';
import { WEIGHTS, type Weights } from '../packages/core/src/search/fields.ts';

/** Sets that are for reports alone. */
const NEVER_READ = ['livemcpbench', 'apibank-toolsearcher'];

/** A folder with a set that has a split, one with a file for tuning, and one with neither. */
function smallData(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolfold-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const write = (file: string, ...rows: readonly object[]) =>
    writeFileSync(join(folder, file), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  for (const name of ['split', 'files', 'report']) {
    mkdirSync(join(folder, name));
    write(`${name}/tools.jsonl`, { id: 't1', name: `${name}_mail` }, { id: 't2', name: 'other' });
    write(
      `${name}/queries.jsonl`,
      { id: '1', query: 'mail', gold: ['t1'] },
      { id: '2', query: 'other', gold: ['t2'] },
    );
  }
  write('files/queries.dev.jsonl', { id: 'd', query: 'mail', gold: ['t1'] });
  write('splits.json', { 'split:queries': { dev: ['1'], test: ['2'] } });
  return folder;
}

suite('the choice of weights', () => {
  test('reads the parts for tuning, and nothing of a set without one', (context) => {
    const folder = smallData(context);
    const { alone, merged } = readTuningSets(folder, join(folder, 'none'));
    const read = (sets: typeof alone) =>
      sets.map(({ name, queries, tools }) => [name, queries.map(({ id }) => id), tools.length]);
    assert.deepEqual(read(alone), [
      ['files', ['d'], 2],
      ['split', ['1'], 2],
    ]);
    assert.deepEqual(read(merged), [
      ['files', ['d'], 4],
      ['split', ['1'], 4],
    ]);
    assert.ok(merged.every(({ tools }) => tools.every(({ key }) => !key.startsWith('report/'))));
    assert.deepEqual(ndcgOf(alone, WEIGHTS), [[1], [1]]);
  });

  test('a set without a part for tuning is refused', (context) => {
    const folder = smallData(context);
    assert.throws(
      () => readTuningSets(folder, join(folder, 'none'), ['split', 'report']),
      /The set "report" has no queries for tuning/,
    );
  });

  test('no query for reports is read from the public sets', (context) => {
    const { data, catalogs } = readArguments([]);
    const splitsFile = join(data, 'splits.json');
    if (!existsSync(splitsFile)) {
      context.skip(`there are no sets in ${data}`);
      return;
    }
    const splits: Record<string, { test: string[] }> = JSON.parse(readFileSync(splitsFile, 'utf8'));
    const { alone, merged } = readTuningSets(data, catalogs);
    assert.ok(alone.length > 0);
    for (const { name, queries } of [...alone, ...merged]) {
      assert.ok(!NEVER_READ.includes(name), name);
      const reported = new Set(
        Object.entries(splits).flatMap(([key, split]) =>
          key.startsWith(`${name}:`) ? split.test : [],
        ),
      );
      if (existsSync(join(data, name, 'queries.dev.jsonl')))
        for (const id of idsIn(join(data, name, 'queries.jsonl'))) reported.add(id);
      assert.ok(reported.size > 0, name);
      assert.deepEqual(
        queries.filter(({ id }) => reported.has(id)).map(({ id }) => id),
        [],
        name,
      );
    }
    for (const { tools } of merged)
      assert.ok(tools.every(({ key }) => !NEVER_READ.includes(key.split('/')[0] ?? '')));
    for (const name of NEVER_READ.filter((set) => existsSync(join(data, set))))
      assert.throws(() => readTuningSets(data, catalogs, [name]), /no queries for tuning/);
  });
});

function idsIn(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line).id);
}

suite('coordinate steps', () => {
  test('every number is changed alone, and shares stay below 1', () => {
    const numbers = numbersOf(WEIGHTS);
    assert.equal(numbers.length, Object.keys(WEIGHTS).length + 6);
    const clause = numbers.find(({ name }) => name === 'clause');
    assert.deepEqual(clause?.changed(0.9), { ...WEIGHTS, clause: 0.9 });
    const name = numbers.find((number) => number.name === 'name.weight');
    assert.deepEqual(name?.changed(9).name, { ...WEIGHTS.name, weight: 9 });
    assert.deepEqual(candidatesOf({ name: 'clause', value: 0.6 }), [0.3, 0.45, 0.798, 1]);
    assert.deepEqual(candidatesOf({ name: 'leadWords', value: 3 }), [2, 4, 6]);
    assert.deepEqual(candidatesOf({ name: 'verbs', value: 0 }), [0.1]);
  });

  test('the best candidate of a number is taken over if it gains enough', () => {
    const start: Weights = { ...WEIGHTS, saturation: 1, clause: 0.5 };
    const steps: Step[] = [];
    const score = ({ saturation, clause, exact }: Weights) =>
      0.5 - Math.abs(saturation - 2) / 10 - Math.abs(clause - 0.25) / 10_000 + exact;
    const onSteps = (some: readonly Step[]) => steps.push(...some);
    const found = coordinateSteps(start, { score, rounds: 3, fixed: ['exact'], onSteps });
    assert.deepEqual(found.weights, { ...start, saturation: 2 });
    assert.ok(Math.abs(found.after - found.before - 0.1) < 1e-9);
    assert.deepEqual(
      steps.filter(({ isChosen }) => isChosen).map(({ name, from, to }) => [name, from, to]),
      [['saturation', 1, 2]],
    );
    assert.deepEqual(new Set(steps.map(({ round }) => round)), new Set([1, 2]));
    assert.ok(steps.every(({ name }) => name !== 'exact'));
    const chosen = steps.find(({ isChosen }) => isChosen);
    assert.ok(chosen);
    assert.match(lineOf(chosen), /saturation +1 to 2: \+10\.00 {2}<- chosen$/);
    assert.match(changesTable(start, found.weights), /\| saturation \| 1 \| 2 \|/);
    assert.match(gainTable(['one'], [[0, 1]], [[1, 1]]), /\| one \| 50\.0 \| 100\.0 \| 50\.0 \|/);
    assert.equal(changesTable(start, start), 'No number changes.');
  });
});
