import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, suite, test } from 'node:test';
import { ToolfoldError } from '../../src/errors.ts';
import { createLexicalSearch } from '../../src/search.ts';
import { createToolLayer } from '../../src/session/index.ts';
import { checksum } from '../../src/values/files.ts';
import { loadSearch } from '../../src/vectors/options.ts';
import { simplerForms } from '../../src/vectors/read-vectors.ts';
import {
  hybrid,
  loadVectors,
  readVectors,
  searchWithVectors,
  type WordVectors,
} from '../../src/vectors.ts';
import * as edge from '../../src/vectors-edge.ts';

const allows = () => true;

suite('the search with word vectors', () => {
  const tools = [
    { key: 'forecast', group: 'sky', name: 'get_forecast', description: 'Temperature and rain.' },
    { key: 'stash', group: 'git', name: 'git_stash', description: 'Stores changes for later.' },
  ];

  test('finds a tool by a related word, and says what it compares', async () => {
    const search = await searchWithVectors();
    search.index(tools);
    assert.equal(search.search('climate', { limit: 1, allows })[0]?.key, 'forecast');
    assert.equal(search.compares, 'words and vectors');
  });

  test('a need that no tool is near to has hits too, and none that fits', async () => {
    const search = await searchWithVectors();
    search.index(tools);
    for (const need of ['my laundry', 'Did I miss anything?', 'play some jazz']) {
      const [first] = search.search(need, { limit: 5, allows });
      assert.ok(first && first.score < (search.scale?.fits ?? 0), need);
    }
    assert.deepEqual(search.search('xqzzy', { limit: 5, allows }), []);
  });

  test('reads a query in another language by the words of a translator, with an embedder too', async () => {
    const english = new Map([
      ['Änderungen speichern', ['store', 'changes']],
      ['天気', ['climate']],
    ]);
    const options = { translate: (query: string) => english.get(query) ?? [] };
    const failing = {
      ...options,
      model: 'm',
      embed: () => Promise.reject(new Error('There is no embedder.')),
    };
    for (const search of [await searchWithVectors(options), await hybrid(failing)()]) {
      search.index(tools);
      const keys = [...english.keys()].map(
        (query) => search.search(query, { limit: 1, allows })[0]?.key,
      );
      assert.deepEqual(keys, ['stash', 'forecast']);
    }
  });

  test('says whether it cuts a query, with an embedder too', async () => {
    const embed = () => Promise.reject(new Error('There is no embedder.'));
    for (const search of [await searchWithVectors(), await hybrid({ embed, model: 'm' })()]) {
      assert.equal(search.isCut?.('x'.repeat(1_001)), true);
      assert.equal(search.isCut?.(JSON.stringify({ query: 'mail', id: 'x'.repeat(1_001) })), false);
    }
  });

  test('compares words alone where the table cannot be read', async () => {
    const search = await loadSearch(() => Promise.reject(new Error('There is no file.')));
    search.index(tools);
    assert.equal(search.search('store changes', { limit: 1, allows })[0]?.key, 'stash');
    assert.equal(search.compares, 'words');
    assert.match(search.warning ?? '', /words alone, .*: There is no file\. In a bundle, copy/);
  });

  test('a layer warns once of a table that a bundle lacks, and finds by words', async () => {
    const warnings: string[] = [];
    const layer = createToolLayer({
      tools: tools.map(({ name, description = '' }) => ({ name, description, inputSchema: {} })),
      strategy: 'dispatch',
      onWarning: (text) => warnings.push(text),
      search: edge.searchWithVectors,
    });
    for (const query of ['store changes', 'other words']) {
      const session = layer.session();
      session.present([]);
      const route = await session.route({ id: query, name: 'tool_search', input: { query } });
      assert.equal(route.kind, 'answer');
      if (query === 'store changes') assert.match(JSON.stringify(route), /stash/);
    }
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /words alone, .*readVectors, or search by words/);
    assert.equal((await loadSearch(loadVectors)).warning, undefined);
  });

  test('compares words alone in a bundle for the edge', async () => {
    assert.equal((await edge.searchWithVectors()).compares, 'words');
    const embed = async () => ({ embeddings: [] });
    const search = await edge.hybrid({ embed, model: 'm' })();
    assert.equal(search.compares, 'words, and embeddings');
    await assert.rejects(edge.loadVectors(), { code: 'missing-dependency' });
  });
});

const file = new URL('../../src/vectors/word-vectors.bin', import.meta.url);

function vectorOf(vectors: WordVectors, text: string): Float32Array {
  const sum = new Float32Array(vectors.dimensions);
  for (const word of text.split(' ')) vectors.add(word, 1, sum);
  return sum;
}

function cosine(a: Float32Array, b: Float32Array): number {
  const dot = (x: Float32Array, y: Float32Array) =>
    x.reduce((sum, each, i) => sum + each * (y[i] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

suite('the table of the package', () => {
  let vectors: WordVectors;
  before(async () => {
    vectors = await loadVectors();
  });

  test('is nearer for texts of one meaning than of two', () => {
    const near = (text: string, right: string, wrong: string) => {
      const query = vectorOf(vectors, text);
      const [one, other] = [right, wrong].map((each) => cosine(query, vectorOf(vectors, each)));
      assert.ok((one ?? 0) > (other ?? 0), `${text}: ${right} ${one}, ${wrong} ${other}`);
    };
    near('do i need an umbrella', 'weather forecast', 'send email');
    near('purchase shoes', 'buy product', 'play song');
    near('remove the picture', 'delete image', 'create invoice');
    near('appointment with the dentist', 'calendar event', 'git commit');
  });

  test('adds a weighted vector, and nothing for an unknown word', () => {
    const [once, twice] = [
      new Float32Array(vectors.dimensions),
      new Float32Array(vectors.dimensions),
    ];
    assert.ok(vectors.add('weather', 1, once));
    assert.ok(vectors.add('weather', 2, twice));
    assert.ok(once.some((each) => each !== 0));
    assert.deepEqual(
      twice,
      once.map((each) => 2 * each),
    );
    for (const word of ['qqxzzq', '', '天气', '__proto__', 'Weather', 's'.repeat(10_000)]) {
      assert.equal(vectors.add(word, 1, once), false, word);
    }
    assert.deepEqual(
      twice,
      once.map((each) => 2 * each),
    );
  });

  test('reads the same from bytes that start anywhere in a buffer', async () => {
    const bytes = await readFile(file);
    const moved = new Uint8Array(bytes.length + 3);
    moved.set(bytes, 3);
    const other = readVectors(moved.subarray(3));
    assert.deepEqual(vectorOf(other, 'send mail'), vectorOf(vectors, 'send mail'));
  });

  test('reads a file of version 1, which has no reference tools', async () => {
    const length = vectors.reference?.length ?? 0;
    assert.ok(length > 0 && length % vectors.dimensions === 0);
    const bytes = await readFile(file);
    const old = Buffer.from(bytes.subarray(0, bytes.length - length));
    old.writeUInt32LE(1, 4);
    old.writeUInt32LE(checksum(old, 24) >>> 0, 20);
    const other = readVectors(old);
    assert.equal(other.reference, undefined);
    assert.deepEqual(vectorOf(other, 'send mail'), vectorOf(vectors, 'send mail'));
    const search = createLexicalSearch({ vectors: other });
    search.index([{ key: 'mail', group: '', name: 'send_email', description: 'Sends an email.' }]);
    const [hit] = search.search('post letter', { limit: 1, allows, explain: true });
    assert.ok((hit?.why?.signs?.likeness ?? 0) > 0);
  });

  test('a damaged file is an error with a hint', async () => {
    const bytes = new Uint8Array(await readFile(file));
    const changed = (at: number) => bytes.with(at, (bytes[at] ?? 0) ^ 1);
    const damaged = [
      new Uint8Array(),
      new TextEncoder().encode('<!doctype html><title>Not found</title>'),
      bytes.subarray(0, 23),
      bytes.subarray(0, -1),
      ...[0, 4, 8, 12, 16, 20, 30, bytes.length - 1].map(changed),
    ];
    for (const each of damaged) {
      assert.throws(
        () => readVectors(each),
        (error) => error instanceof ToolfoldError && error.hint.includes('word-vectors.bin'),
      );
    }
  });
});

test('the simpler forms of a word, the likeliest first', () => {
  assert.deepEqual(simplerForms('queries'), ['query', 'queri', 'querie', 'querie']);
  assert.deepEqual(simplerForms('geocoded'), ['geocod', 'geocode']);
  assert.deepEqual(simplerForms('planning'), ['plann', 'planne', 'plan']);
  assert.deepEqual(simplerForms('is'), []);
  assert.deepEqual(simplerForms('map'), []);
});
