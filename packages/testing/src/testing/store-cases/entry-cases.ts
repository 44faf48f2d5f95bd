import assert from 'node:assert/strict';
import type { StoreCase } from './store-case.ts';
import { addressOf, refused, textsOf, Writer } from './writer.ts';

/** Cases about entries. */
export const entryCases: readonly StoreCase[] = [
  {
    name: 'entries are read as they were appended, all or after a number',
    run: async (store) => {
      const writer = await Writer.of(store);
      const body = { text: 'é\u0000\ud800"', list: [1.5, null, { deep: true }], '': '' };
      const entries = writer.next('a', 'b', 'c').map((entry) => ({ ...entry, body }));
      await writer.append(entries);
      const expected = entries.map(({ words: _, ...entry }) => entry);
      const { id } = writer;
      assert.deepEqual(await store.read(id), expected);
      assert.deepEqual(await store.read(id, { after: 2 }), expected.slice(2));
      assert.deepEqual(await store.read(id, { after: 3 }), []);
      const record = await store.get(id);
      assert.equal(record?.leaf, expected[2]?.id);
      assert.equal(record?.seq, 3);
      assert.equal(record?.changedAt, expected[2]?.at);
      await refused(store.read('none'), 'session-unknown');
    },
  },
  {
    name: 'an entry is never changed, neither by who gave it nor by who read it',
    run: async (store) => {
      const writer = await Writer.of(store);
      const [entry] = writer.next('first');
      assert.ok(entry);
      const body = { list: ['a'] };
      await writer.append([{ ...entry, body }]);
      body.list.push('b');
      const [read] = await store.read(writer.id);
      Object.assign(read?.body ?? {}, { list: [] });
      const [again] = await store.read(writer.id);
      assert.deepEqual(again?.body, { list: ['a'] });
    },
  },
  {
    name: 'entries that do not follow the last one are refused whole',
    run: async (store) => {
      const writer = await Writer.of(store);
      await writer.say('a');
      const { lease, id } = writer;
      const [b, c, d] = writer.next('b', 'c', 'd');
      assert.ok(b && c && d);
      for (const entries of [[c], [b, d], [{ ...b, parent: null }], [{ ...b, seq: 7 }]]) {
        await refused(store.append(entries, { lease }), 'session-lost');
      }
      await store.append([], { lease });
      assert.deepEqual(await textsOf(store, id), ['a']);
    },
  },
  {
    name: 'an id of an entry is unique in the store, and a refused append leaves nothing',
    run: async (store) => {
      const one = await Writer.of(store);
      const first = await one.say('a');
      const two = await Writer.of(store);
      const [b, c] = two.next('b', 'c');
      assert.ok(b && c);
      const texts = new Map([[addressOf('long'), 'long']]);
      const twice = [b, { ...c, id: first.id }];
      await refused(store.append(twice, { lease: two.lease, texts }), 'invalid-option');
      assert.deepEqual(await textsOf(store, two.id), []);
      assert.equal((await store.get(two.id))?.seq, 0);
      assert.equal(await store.text(addressOf('long')), undefined);
      assert.deepEqual(await store.search('b'), []);
      await two.append([b, c]);
    },
  },
  {
    name: 'a text is read by its address, whoever gave it',
    run: async (store) => {
      const text = `system ${'x'.repeat(100_000)} é \u0000`;
      const texts = new Map([[addressOf(text), text]]);
      const one = await Writer.of(store);
      await one.append(one.next('a'), texts);
      assert.equal(await store.text(addressOf(text)), text);
      await one.append(one.next('b'), texts);
      assert.equal(await store.text(addressOf(text)), text);
      assert.equal(await store.text(addressOf('other')), undefined);
    },
  },
  {
    name: 'a large body is read as it was appended',
    run: async (store) => {
      const writer = await Writer.of(store);
      const large = 'result '.repeat(700_000);
      const entries = writer.next('a').map((entry) => ({ ...entry, body: { text: large } }));
      await writer.append(entries);
      const [text] = await textsOf(store, writer.id);
      assert.ok(text === large);
    },
  },
];
