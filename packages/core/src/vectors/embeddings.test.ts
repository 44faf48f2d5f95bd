import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { embedder, find, many, tools } from '../../test/vectors/embedder.test-support.ts';
import { lexical } from '../search.ts';
import { fuse } from './hybrid.ts';
import type { EmbedRequest } from './options.ts';

suite('embeddings that cannot be used', () => {
  const one = [1, 0];
  const cases: readonly (readonly [string, (count: number) => unknown, RegExp])[] = [
    ['NaN', (count) => Array(count).fill([Number.NaN, 1]), /Embedding 1 of 3 .* finite numbers/],
    ['Infinity', (count) => Array(count).fill([Infinity, 1]), /finite numbers/],
    ['one bad among good ones', () => [one, one, [1, null]], /Embedding 3 of 3/],
    ['texts', (count) => Array(count).fill(['a', 'b']), /finite numbers/],
    ['base64', (count) => Array(count).fill('AACAPw=='), /finite numbers/],
    ['null', (count) => Array(count).fill(null), /finite numbers/],
    ['empty', (count) => Array(count).fill([]), /finite numbers/],
    ['holes', (count) => Array(count), /finite numbers/],
    ['too many', (count) => Array(count + 1).fill(one), /gave 4 embeddings for 3 texts/],
    ['too few', (count) => Array(count - 1).fill(one), /gave 2 embeddings for 3 texts/],
    ['no list', () => undefined, /gave no array `embeddings`/],
  ];
  for (const [title, make, message] of cases) {
    test(`${title}: the built-in search answers, and nothing is kept`, async () => {
      const errors: unknown[] = [];
      const cache = new Map<string, readonly number[]>();
      const good = embedder();
      let isBad = true;
      const embed = async (request: EmbedRequest<string>) =>
        isBad ? { embeddings: make(request.values.length) as number[][] } : good.embed(request);
      const onError = (error: unknown) => errors.push(error);
      const search = fuse(lexical(), { embed, model: 'm', cache, onError });
      search.index(tools);
      assert.deepEqual(await find(search, 'aside'), []);
      assert.equal(errors.length, 1);
      assert.match(String(errors[0]), message);
      assert.equal(cache.size, 0);
      isBad = false;
      assert.equal((await find(search, 'aside'))[0], 'stash');
      assert.equal(errors.length, 1);
    });
  }

  test('an answer that is nothing is an error of that search', async () => {
    const errors: unknown[] = [];
    const embed = async () => undefined as never;
    const onError = (error: unknown) => errors.push(error);
    const search = fuse(lexical(), { embed, model: 'm', onError });
    search.index(tools);
    assert.deepEqual(await find(search, 'send letter'), ['mail']);
    assert.match(String(errors), /gave no array/);
  });

  test('zeros are near to nothing, and large numbers have their direction', async () => {
    const searchOf = (vectorOf: (text: string) => number[]) => {
      const embed = async ({ values }: EmbedRequest<string>) => ({
        embeddings: values.map(vectorOf),
      });
      const search = fuse(lexical(), { embed, model: 'm' });
      search.index(tools);
      return search;
    };
    const zeros = searchOf(() => [0, 0]);
    assert.deepEqual(await find(zeros, 'aside'), []);
    const oneZero = searchOf((text) => (/stash/.test(text) ? [0, 0] : [-1, 1]));
    assert.deepEqual(await find(oneZero, 'aside'), ['mail']);
    const large = searchOf((text) => (/stash|aside/.test(text) ? [1.7e308, 1.7e308] : [1, -1]));
    assert.equal((await find(large, 'aside'))[0], 'stash');
  });

  test('a cached one is embedded again', async () => {
    for (const rubbish of [null, 'abc', [], [Number.NaN], {}, Promise.resolve([1, 0])]) {
      const { embed, texts } = embedder();
      const onError = (error: unknown) => assert.fail(String(error));
      const cache = { get: () => rubbish as never, set: () => {} };
      const search = fuse(lexical(), { embed, model: 'm', cache, onError });
      search.index(tools);
      assert.equal((await find(search, 'aside'))[0], 'stash');
      assert.equal(texts.length, 3);
    }
  });
});

suite('the cache of embeddings', () => {
  test('objects without provider and id are other models, each the same one again', async () => {
    const cache = new Map<string, readonly number[]>();
    const { embed, texts } = embedder();
    const embeds = async (model: object) => {
      const before = texts.length;
      const search = fuse(lexical(), { embed: embed as never, model, cache });
      search.index(tools);
      await search.prepare?.(['aside']);
      return texts.length - before;
    };
    const [one, other] = [{ name: 'one' }, { modelId: 'x' }];
    assert.deepEqual([await embeds(one), await embeds(other), await embeds(one)], [3, 3, 0]);
    const made = () => embeds({ provider: 'p', modelId: 'x' });
    assert.deepEqual([await made(), await made()], [3, 0]);
    assert.ok(![...cache.keys()].some((key) => key.includes('undefined')));
  });

  test('one that fails ends no search, and is reported', async () => {
    const fail = () => {
      throw new Error('disk full');
    };
    const reject = async () => fail();
    const [get, set] = [() => undefined, () => {}];
    const caches = [
      ...[
        { get: fail, set },
        { get, set: fail },
      ],
      ...[
        { get: reject as never, set },
        { get, set: reject },
      ],
    ];
    for (const cache of caches) {
      const errors: unknown[] = [];
      const { embed, texts } = embedder();
      const onError = (error: unknown) => errors.push(error);
      const search = fuse(lexical(), { embed, model: 'm', cache, onError });
      search.index(tools);
      assert.equal((await find(search, 'aside'))[0], 'stash');
      await sleep(1);
      assert.match(String(errors), /^Error: disk full$/);
      assert.equal((await find(search, 'aside'))[0], 'stash');
      assert.equal(texts.length, 3);
    }
  });

  test('one that forgets costs no call: known tools stay in memory', async () => {
    const { embed, texts } = embedder();
    const cache = { get: () => undefined, set: () => {} };
    const search = fuse(lexical(), { embed, model: 'm', cache });
    search.index(tools);
    assert.equal((await find(search, 'aside'))[0], 'stash');
    await find(search, 'put aside');
    assert.equal(texts.length, 4);
    search.index([{ ...tools[1], key: 'mail', group: 'mail', name: 'post' }]);
    await find(search, 'aside');
    assert.deepEqual(texts.slice(4), ['mail post: Sends a letter. ()']);
  });

  test('what was embedded before a failure is not embedded again', async () => {
    const { embed, texts } = embedder();
    const failing = async (request: EmbedRequest<string>) => {
      if (texts.length >= 100 && isDown) throw new Error('429');
      return embed(request);
    };
    let isDown = true;
    const cache = { get: () => undefined, set: () => {} };
    const search = fuse(lexical(), { embed: failing, model: 'm', cache });
    search.index(many(150));
    assert.deepEqual(await find(search, 'aside'), []);
    isDown = false;
    await find(search, 'aside');
    assert.equal(texts.length, 151);
  });
});

test('a text is cut between whole characters', async () => {
  const { embed, texts } = embedder();
  const search = fuse(lexical(), { embed, model: 'm' });
  const start = 'g t: ';
  const fill = (count: number) => 'a'.repeat(count - start.length);
  search.index([
    { key: 'half', group: 'g', name: 't', description: `${fill(1_999)}😀 and more` },
    { key: 'whole', group: 'g', name: 't', description: `${fill(1_998)}😀 and more` },
  ]);
  await search.prepare?.([`${'b'.repeat(1_999)}😀`, 'b'.repeat(2_001)]);
  assert.deepEqual(
    texts.map((text) => text.length),
    [1_999, 2_000, 1_999, 2_000],
  );
  assert.ok(texts.every((text) => text.isWellFormed()));
  assert.ok(texts[1]?.endsWith('😀'));
});
