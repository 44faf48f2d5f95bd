import assert from 'node:assert/strict';
import type { StoreCase } from './store-case.ts';
import { Writer } from './writer.ts';

/** Cases about search. */
export const searchCases: readonly StoreCase[] = [
  {
    name: 'all words of a query must occur, the last one may be a beginning',
    run: async (store) => {
      const one = await Writer.of(store, { id: 'one' });
      await one.say('The quick brown fox', 'jumps over the lazy dog', 'Ärger im Café, täglich');
      const found = async (query: string) => (await store.search(query)).map(({ seq }) => seq);
      assert.deepEqual(await found('the'), [2, 1]);
      assert.deepEqual(await found('fox QUICK'), [1]);
      assert.deepEqual(await found('quick fo'), [1]);
      assert.deepEqual(await found('quic fox'), []);
      assert.deepEqual(await found('quick dog'), []);
      assert.deepEqual(await found('cafe'), [3]);
      assert.deepEqual(await found('ÄRGER tag'), [3]);
      for (const query of ['', '  ', '"', '*', '-- ()']) assert.deepEqual(await found(query), []);
      for (const query of [
        '"fox"',
        'fox*',
        '(fox',
        'quick-fox',
        'fox)',
        "'fox'",
        '^fox',
        'words:fox',
      ]) {
        const expected = query === 'words:fox' ? [] : [1];
        assert.deepEqual(await found(query), expected, query);
      }
      for (const query of ['fox OR dog', 'fox NOT dog', 'fox NEAR dog']) {
        assert.deepEqual(await found(query), [], query);
      }
    },
  },
  {
    name: 'a hit names session, number and a line around the match; entries without words are not found',
    run: async (store) => {
      const one = await Writer.of(store, { id: 'one' });
      const long = `${'before '.repeat(100)}\n  needle\u001b[1m\n${'after '.repeat(100)}`;
      const leaf = await one.say(long);
      const [silent] = one.next('needle');
      assert.ok(silent);
      const { words: _, ...entry } = silent;
      await one.append([entry]);
      await Writer.of(store, { id: 'fork', leaf: leaf.id });
      const [hit, ...others] = await store.search('needle');
      assert.deepEqual(others, []);
      assert.deepEqual([hit?.session, hit?.seq], ['one', 1]);
      const excerpt = hit?.excerpt ?? '';
      assert.match(excerpt, /before needle .*after/);
      assert.doesNotMatch(excerpt, /\p{Cc}/u);
      assert.ok(excerpt.length < 200);
    },
  },
  {
    name: 'the newest 20 hits are returned, or as many as are asked for',
    run: async (store) => {
      const one = await Writer.of(store);
      await one.say(...Array.from({ length: 25 }, (_, n) => `word ${n}`));
      const hits = await store.search('word');
      assert.equal(hits.length, 20);
      assert.equal(hits[0]?.seq, 25);
      assert.equal((await store.search('word', { limit: 3 })).length, 3);
    },
  },
];
