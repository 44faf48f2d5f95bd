import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { ToolDocument, WordVectors } from '../../src/search/tool-search.ts';
import { createLexicalSearch } from '../../src/search.ts';

const DIMENSIONS = 40;

/** Vectors in which words of one topic have the same direction. */
function topics(...lists: readonly string[]): WordVectors {
  const topicOf = new Map(lists.flatMap((list, i) => list.split(' ').map((word) => [word, i])));
  return {
    dimensions: DIMENSIONS,
    add(word, weight, sum) {
      const topic = topicOf.get(word);
      if (topic === undefined) return false;
      sum[topic] = (sum[topic] ?? 0) + weight;
      return true;
    },
  };
}

const vectors = topics('weather forecast rain umbrella', 'message email ping', 'invoice bill');
const tool = (key: string, name: string, description = '', group = ''): ToolDocument => ({
  key,
  name,
  group,
  description,
});
const office = [
  tool('a', 'get_forecast', 'Weather of the next days'),
  tool('b', 'send_email', 'Sends a message'),
  tool('c', 'create_invoice', 'Writes a bill'),
];
const all = (_key: string) => true;

function found(documents: readonly ToolDocument[], query: string, allows = all, limit = 3) {
  const search = createLexicalSearch({ vectors });
  search.index(documents);
  return search.search(query, { limit, allows, explain: true });
}

suite('with word vectors', () => {
  test('a tool is found by words that it does not contain', () => {
    assert.deepEqual(
      found(office, 'umbrella').map(({ key }) => key),
      ['a'],
    );
    assert.deepEqual(wordsOnly('umbrella'), []);
  });

  test('a missing word counts by the length of its vector', () => {
    const heavy: WordVectors = {
      ...vectors,
      add: (word, weight, sum) => vectors.add(word, word === 'invoice' ? 2 * weight : weight, sum),
    };
    const missing = (table: WordVectors) => {
      const search = createLexicalSearch({ vectors: table });
      search.index(office.slice(0, 2));
      const [first] = search.search('email invoice', { limit: 1, allows: all, explain: true });
      return first?.why?.signs?.missing ?? 0;
    };
    assert.equal(missing(vectors), 1);
    assert.equal(missing(heavy), 2);
  });

  test('a table that looks up many words at once finds the same, and is asked for each word of tools once', () => {
    const rows = new Map<string, number>();
    const asked: string[] = [];
    const atOnce: WordVectors = {
      ...vectors,
      rowsOf: (words) => {
        asked.push(...words);
        return words.map((word) => {
          if (!vectors.add(word, 0, new Float32Array(DIMENSIONS))) return -1;
          if (!rows.has(word)) rows.set(word, rows.size);
          return rows.get(word) ?? -1;
        });
      },
      addRows: (numbers, weights, sum) => {
        const words = [...rows.keys()];
        for (const [at, number] of numbers.entries())
          if (number >= 0) vectors.add(words[number] ?? '', weights[at] ?? 0, sum);
      },
    };
    const [one, other] = [vectors, atOnce].map((table) => {
      const search = createLexicalSearch({ vectors: table });
      search.index(office);
      search.index([...office, tool('d', 'send_invoice', 'Sends a bill with a message')]);
      return ['umbrella', 'ping a bill', 'unknown words'].map((query) =>
        search.search(query, { limit: 3, allows: all, explain: true }),
      );
    });
    assert.deepEqual(other, one);
    assert.equal(new Set(asked).size, asked.length);
    assert.ok(asked.includes('forecast'));
  });

  function wordsOnly(query: string) {
    const search = createLexicalSearch();
    search.index(office);
    return search.search(query, { limit: 3, allows: all });
  }

  test('where the best tool has one word of several, similarity decides', () => {
    // By a quarter about the weather.
    const tools = [tool('w', 'alert', 'rain ping email message'), tool('x', 'split', 'again')];
    const rated = (query: string) =>
      found(tools, query).map(({ key, relevance }) => [key, relevance]);
    const few = rated('again umbrella gently quietly neatly calmly');
    assert.equal(few[0]?.[0], 'w');
    // No tool has all words of a long query: five of them say how much similarity counts.
    const more = rated('again umbrella gently quietly neatly calmly bravely');
    assert.deepEqual(more, few);
  });

  test('a long query is compared as a whole and by its best clause', () => {
    const similarity = (query: string) =>
      found(office, query).find(({ key }) => key === 'a')?.why?.similarity ?? 0;
    const [whole, clause] = ['umbrella invoice', 'umbrella'].map(similarity);
    const both = similarity('umbrella gently quietly neatly, invoice calmly bravely boldly');
    assert.ok(Number(clause) - Number(whole) > 0.2);
    assert.ok(Math.abs(both - (Number(whole) + Number(clause)) / 2) < 0.01);
  });

  suite('what a query asks for', () => {
    // All are equally similar to a bill.
    const bills = [
      tool('a', 'delete_entry', 'Takes a bill'),
      tool('b', 'entry_list', 'Any bill'),
      tool('c', 'entry', 'Updates a bill'),
      tool('d', 'entry', 'The bill'),
    ];
    const others = (query: string) =>
      found(bills, query, all, 4)
        .filter(({ why }) => why?.doesOther)
        .map(({ key }) => key)
        .sort();

    test('a tool that does something else stands behind, and the explanation says it', () => {
      for (const query of ['which invoice', 'throw the invoice out', 'put it into the invoice']) {
        const hits = found(bills, query, all, 4);
        const behind = hits.slice(-2).map(({ why }) => why?.doesOther);
        assert.deepEqual([hits.length, ...behind], [4, true, true], query);
        assert.equal(hits[0]?.why?.doesOther, undefined, query);
      }
    });

    test('is said by the first word of a clause that is not polite, or by a question', () => {
      for (const query of [
        'list invoice',
        'could you please show me the invoice',
        'which invoice',
        "I'd like to know who sent the invoice",
        'is there an invoice',
        'how many invoice',
      ])
        assert.deepEqual(others(query), ['a', 'c'], query);
      for (const query of ['get rid of the invoice', 'I want to delete the invoice'])
        assert.deepEqual(others(query), ['b', 'c'], query);
      assert.deepEqual(others('how do I change an invoice'), ['a', 'b']);
    });

    test('may be several things, or nothing that is known', () => {
      assert.deepEqual(others('list invoice and delete one'), ['c']);
      for (const query of ['invoice', 'the invoice is too high', 'translate the invoice'])
        assert.deepEqual(others(query), [], query);
    });

    test('is not asked by words alone', () => {
      const search = createLexicalSearch();
      search.index(bills);
      const hits = search.search('list bill', { limit: 4, allows: all, explain: true });
      assert.ok(hits.length > 0 && hits.every(({ why }) => why?.doesOther === undefined));
    });
  });

  test('the explanation has the similarity', () => {
    const [hit] = found(office, 'ping');
    assert.ok((hit?.why?.similarity ?? 0) > 0.9);
    assert.deepEqual(hit?.why?.words, []);
  });

  test('a hidden tool is not found, and changes nothing', () => {
    const visible = office.filter(({ key }) => key !== 'a');
    for (const query of ['umbrella', 'rain message', 'bill'])
      assert.deepEqual(
        found(office, query, (key) => key !== 'a'),
        found(visible, query),
      );
  });

  test('a tool that changed is found by its new meaning only', () => {
    const search = createLexicalSearch({ vectors });
    search.index(office);
    search.index([tool('a', 'get_x', 'A bill'), tool('d', 'rainfall', 'Rain')]);
    const keys = (query: string) =>
      search.search(query, { limit: 5, allows: all }).map(({ key }) => key);
    assert.deepEqual(keys('umbrella'), ['d']);
    assert.deepEqual(new Set(keys('invoice')), new Set(['a', 'c']));
  });

  test('among many tools the nearest are found', () => {
    const many = Array.from({ length: 3_000 }, (_, i) =>
      tool(`m${i}`, `do_${i}`, i % 2 ? 'Sends a message' : 'Writes a bill'),
    );
    const hits = found([...many, ...office], 'umbrella');
    assert.equal(hits[0]?.key, 'a');
  });

  test('without any known word the words alone decide', () => {
    const search = createLexicalSearch();
    search.index([...office, tool('z', 'zeppelin')]);
    const plain = search.search('zeppelin', { limit: 3, allows: all });
    const hits = found([...office, tool('z', 'zeppelin')], 'zeppelin');
    assert.deepEqual(
      hits.map(({ key }) => key),
      plain.map(({ key }) => key),
    );
  });

  test('a stored index has them, and another search refuses it', () => {
    const search = createLexicalSearch({ vectors });
    search.index(office);
    const stored = search.store?.() ?? new Uint8Array(0);
    const again = createLexicalSearch({ vectors, stored });
    for (const query of ['umbrella', 'send message'])
      assert.deepEqual(
        again.search(query, { limit: 3, allows: all }),
        search.search(query, { limit: 3, allows: all }),
      );
    const code = 'invalid-option';
    assert.throws(() => createLexicalSearch({ stored }), { code });
    const others = topics('message email ping', 'weather forecast rain umbrella');
    assert.throws(() => createLexicalSearch({ vectors: others, stored }), { code });
  });

  const word = fc.constantFrom(...'weather email bill list get 任务 rain the'.split(' '));
  const words = fc.array(word, { minLength: 1, maxLength: 12 }).map((list) => list.join(' '));
  const documents = fc.uniqueArray(
    fc.record({ key: fc.string({ minLength: 1, maxLength: 2 }), name: words, description: words }),
    { maxLength: 12, selector: ({ key }) => key },
  );

  test('what is hidden leaves no trace, in any order of indexing', () => {
    fc.assert(
      fc.property(documents, words, fc.func(fc.boolean()), (list, query, allows) => {
        const full = list.map((one) => ({ ...one, group: '' }));
        const visible = full.filter(({ key }) => allows(key)).reverse();
        assert.deepEqual(
          found(full, query, (key) => allows(key)),
          found(visible, query),
        );
      }),
    );
  });
});

suite('with a translation', () => {
  const translate = (query: string) => (query.startsWith('wetter') ? ['weather'] : []);
  const search = createLexicalSearch({ translate });
  search.index(office);
  const keys = (query: string) =>
    search.search(query, { limit: 3, allows: all }).map(({ key }) => key);

  test('a query in another language finds tools', () => {
    assert.deepEqual(keys('wetter morgen'), ['a']);
  });

  test('words that tools contain are kept', () => {
    assert.deepEqual(new Set(keys('wetter email')), new Set(['a', 'b']));
  });

  test('a query that is not translated is searched as it is', () => {
    assert.deepEqual(keys('bill'), ['c']);
  });
});
