// test: slow
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { type QuerySet, readSets } from '../bench/search/data.ts';
import { readEmbeddings, writeTexts } from '../bench/search/embeddings.ts';
import { measureAll } from '../bench/search/measure.ts';
import { mergedSets, scaledTools } from '../bench/search/merge.ts';
import { embedded } from '../bench/search/methods/embedded.ts';
import { METHODS } from '../bench/search/methods/index.ts';
import { oursWithout } from '../bench/search/methods/ours.ts';
import { qualityOf } from '../bench/search/quality.ts';
import { evenSample, shuffled } from '../bench/search/random.ts';
import { scaleTable } from '../bench/search/scale.ts';
import { macroEstimate, quantile } from '../bench/search/statistics.ts';
import { differenceTable, macroTable, ndcgTable, setTable } from '../bench/search/tables.ts';

const needs = (...groups: readonly (readonly string[])[]) => ({
  needs: groups.map((group) => new Set(group)),
});

/** Four tools with different words, so that every method finds the right one. */
const TOOLS = [
  ['t1', 'createIssue', 'Opens a ticket in the tracker'],
  ['t2', 'send_mail', 'Writes an email to people'],
  ['t3', 'weather_forecast', 'Rain and sunshine of the next days'],
  ['t4', 'convert_units', 'Metres into feet'],
] as const;

const tools = TOOLS.map(([key, name, description]) => ({ key, name, group: 's', description }));
const set: QuerySet = {
  name: 'small',
  folder: 'small',
  tools,
  queries: [
    { id: '1', text: 'open a ticket issue', ...needs(['t1']) },
    { id: '2', text: 'rain forecast', ...needs(['t3']) },
  ],
};

suite('the benchmark of search', () => {
  test('a need counts once, at its first hit', () => {
    const both = needs(['a', 'a2'], ['b']);
    const found = qualityOf(['x', 'a', 'a2', 'b'], both);
    assert.deepEqual([found.r1, found.r3, found.r5, found.mrr, found.all10], [0, 0.5, 1, 0.5, 1]);
    assert.equal(qualityOf(['b', 'a2'], both).ndcg, 1);
    const none = qualityOf(['x'], both);
    assert.deepEqual(Object.values(none), [0, 0, 0, 0, 0, 0, 0]);
    assert.equal(found.ndcg, (1 / Math.log2(3) + 1 / Math.log2(5)) / (1 + 1 / Math.log2(3)));
  });

  test('the table of many tools says how many queries were timed, and leaves out what was not measured', () => {
    const times = (queries: number) => ({ mean: 1, p95: 2, queries });
    const table = scaleTable(
      [
        {
          ...{ method: 'm', tools: 10_000, indexMs: 5, bytes: 2 ** 20 },
          times: { short: times(100), sentence: times(12), long: times(5) },
        },
      ],
      new Map([['m', 'Method']]),
    );
    assert.match(table, /queries timed/);
    assert.match(table, /^\| Method \| 10,000 \| {2}\| {2}\|.*\| 100, 12, 5 \| 5 \| 1 \|$/m);
  });

  test('samples, orders and intervals depend on their input alone', () => {
    const values = Array.from({ length: 1_000 }, (_, n) => n);
    assert.deepEqual(shuffled(values, 3), shuffled(values, 3));
    assert.notDeepEqual(shuffled(values, 3), values);
    assert.deepEqual(evenSample(values, 4), [0, 250, 500, 750]);
    assert.deepEqual(evenSample([1, 2], 4), [1, 2]);
    const sample = values.map((value) => value % 2);
    const estimate = macroEstimate([sample, sample.map(() => 1)]);
    assert.deepEqual(macroEstimate([sample, sample.map(() => 1)]), estimate);
    assert.equal(estimate.mean, 0.75);
    assert.ok(estimate.low < 0.75 && estimate.high > 0.75 && estimate.low > 0.7);
    assert.equal(quantile(values, 0.95), 950);
  });

  test('a folder is read with its split: the test part, or with the parts for tuning', (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'toolfold-'));
    context.after(() => rmSync(folder, { recursive: true }));
    const write = (file: string, ...rows: readonly object[]) =>
      writeFileSync(join(folder, file), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    for (const name of ['split', 'whole']) {
      mkdirSync(join(folder, name));
      write(`${name}/tools.jsonl`, { id: 't1', server: 's', name: 'a' }, { id: 't2', name: 'b' });
      write(
        `${name}/queries.jsonl`,
        { id: '1', query: 'a', gold: ['t1'] },
        { id: '2', query: 'b', gold: ['t2'], groups: [['t1', 't2']] },
        { id: '3', query: 'c', gold: [] },
      );
    }
    write('whole/queries.dev.jsonl', { id: 'd', query: 'a', gold: ['t1'] });
    write('splits.json', { 'split:queries': { dev: ['1'], test: ['2'] } });
    const idsOf = (sets: readonly QuerySet[]) =>
      sets.map(({ name, queries }) => [name, queries.map(({ id }) => id)]);
    const sets = readSets(folder, 'test');
    assert.deepEqual(idsOf(sets), [
      ['split', ['2']],
      ['whole', ['1', '2']],
    ]);
    assert.deepEqual(sets[0]?.queries[0]?.needs, [new Set(['split/t1', 'split/t2'])]);
    assert.deepEqual(idsOf(readSets(folder, 'dev')), [
      ['split', ['1']],
      ['whole dev', ['d']],
    ]);
    assert.deepEqual(idsOf(readSets(folder, 'test', ['whole'])), [['whole', ['1', '2']]]);
    assert.deepEqual(readSets(join(folder, 'none'), 'test'), []);
  });

  test('copies never repeat a tool of an MCP set, and twins of a right tool are right', () => {
    const many = [
      { key: 'mcp/1', name: 'read_file', group: 'files', description: 'Reads.' },
      { key: 'other/1', name: 'open_door', group: 'house', description: 'Opens.' },
      { key: 'other/2', name: 'read_file', group: 'disk', description: 'Reads.' },
    ];
    const scaled = scaledTools(many, 9);
    assert.equal(new Set(scaled.map(({ key }) => key)).size, 9);
    assert.equal(scaled.filter(({ key }) => key.startsWith('mcp/')).length, 1);
    const asked = { ...set, queries: [{ id: '1', text: 'read', ...needs(['mcp/1']) }] };
    const [merged] = mergedSets([asked], scaled);
    assert.deepEqual([...(merged?.queries[0]?.needs[0] ?? [])].sort(), ['mcp/1', 'other/2']);
  });

  test('every method finds the right tools among four', { timeout: 60_000 }, async () => {
    const measured = await measureAll(METHODS, [set]);
    for (const { method, qualities, times, stopped } of measured) {
      assert.deepEqual([method, qualities.map(({ r1 }) => r1)], [method, [1, 1]]);
      assert.deepEqual([times.length, stopped], [2, false]);
    }
    const results = { methods: METHODS, sets: [set], measured };
    const [first] = METHODS;
    const title = first?.title ?? '';
    assert.match(
      macroTable(results),
      new RegExp(`^\\| ${title} \\|( 100\\.0 \\|){7} 100\\.0 to`, 'm'),
    );
    assert.match(
      setTable(results),
      new RegExp(`^\\| small \\| ${title} \\| 4 \\| 2 \\| 100\\.0`, 'm'),
    );
    assert.match(ndcgTable(results), /^\| small \| 4 \| 2 \|( 100\.0 \|)+$/m);
    assert.match(differenceTable(results), /\| nDCG@10 \| \+0\.0 \| 0\.0 to 0\.0 \|$/m);
  });

  test('embeddings of a folder are those of the texts that a session would embed', async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'toolfold-'));
    context.after(() => rmSync(folder, { recursive: true }));
    assert.equal(readEmbeddings(folder), undefined);
    assert.equal(await writeTexts(folder, [set]), 7);
    const texts = readFileSync(join(folder, 'texts.jsonl'), 'utf8').trimEnd().split('\n');
    const vectors = texts.flatMap((text) => [/ticket/.test(text), /rain/i.test(text)].map(Number));
    writeFileSync(join(folder, 'vectors.f32'), Float32Array.from(vectors));
    const embed = readEmbeddings(folder);
    assert.ok(embed);
    for (const { method, qualities } of await measureAll(embedded(embed), [set]))
      assert.deepEqual([method, qualities.map(({ r1 }) => r1)], [method, [1, 1]]);
    await assert.rejects(
      embed({ model: '', values: ['another text'] }),
      /no embedding of "another/,
    );
  });

  test('a method without numbers of the ranking is another one', async () => {
    const measured = await measureAll(oursWithout(['clause', 'verbs']), [set]);
    assert.deepEqual(
      measured.map(({ method }) => method),
      ['lexical-without', 'vectors-without'],
    );
    assert.throws(() => oursWithout(['charm']), /no number "charm"/);
  });

  test('a method that was stopped has no figures', async () => {
    const [measured] = await measureAll(METHODS.slice(1, 2), [set]);
    assert.ok(measured);
    const results = {
      methods: METHODS.slice(1, 2),
      sets: [set],
      measured: [{ ...measured, qualities: measured.qualities.slice(1), stopped: true }],
    };
    assert.match(macroTable(results), /\| stopped on small \|/);
    assert.match(setTable(results), /\| stopped after 1 of 2 \|/);
    assert.match(ndcgTable(results), /^\| small \| 4 \| 2 \| {2}\|$/m);
    assert.equal(differenceTable(results), '');
  });
});
