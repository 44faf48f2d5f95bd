import assert from 'node:assert/strict';
import { LEASE_TIME, WATCH_TIME } from '@toolfold/agent/internal/sessions';
import {
  addressOf,
  NOW,
  newClock,
  refused,
  SessionWriter,
  type StoreCase,
  textsOf,
} from './writer.ts';

/** Cases about entries. */
export const entryCases: readonly StoreCase[] = [
  {
    name: 'entries are read as they were appended, all or after a number',
    run: async (store) => {
      const writer = await SessionWriter.of(store);
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
      const writer = await SessionWriter.of(store);
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
      const writer = await SessionWriter.of(store);
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
      const one = await SessionWriter.of(store);
      const first = await one.say('a');
      const two = await SessionWriter.of(store);
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
      const one = await SessionWriter.of(store);
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
      const writer = await SessionWriter.of(store);
      const large = 'result '.repeat(700_000);
      const entries = writer.next('a').map((entry) => ({ ...entry, body: { text: large } }));
      await writer.append(entries);
      const [text] = await textsOf(store, writer.id);
      assert.ok(text === large);
    },
  },
];

/** Cases about when tools ran last. A store that does not say it is asked nothing. */
export const runCases: readonly StoreCase[] = [
  {
    name: 'the last run of a tool is known over all sessions, and gone with the last of them',
    run: async (store) => {
      if (!store.lastRuns) return;
      assert.deepEqual(await store.lastRuns(), new Map());
      const one = await SessionWriter.of(store);
      const other = await SessionWriter.of(store);
      const run = async (writer: SessionWriter, name: unknown, at: number, kind = 'start') => {
        const [entry] = writer.next('run');
        assert.ok(entry);
        await writer.append([{ ...entry, kind, at, body: { id: 'call', name: name as string } }]);
      };
      await run(one, 'a__list', NOW + 10);
      await run(other, 'a__list', NOW + 30);
      await run(one, 'a__list', NOW + 20);
      await run(one, 'b"\u0000\ud83d\ude00', NOW + 40);
      await run(one, 7, NOW + 50);
      await run(one, 'called alone', NOW + 60, 'call');
      const runs = await store.lastRuns();
      assert.deepEqual(runs.get('a__list'), NOW + 30);
      assert.deepEqual([runs.has('called alone'), runs.size], [false, 2]);
      await store.release(other.lease);
      await store.remove(other.id);
      assert.deepEqual((await store.lastRuns()).get('a__list'), NOW + 20);
    },
  },
];

/** Cases about what a holder shows to those who watch. */
export const draftCases: readonly StoreCase[] = [
  {
    name: 'a holder is told for a while that somebody watches',
    run: async (store, { clock: clockOf = newClock } = {}) => {
      const clock = clockOf();
      try {
        const { id, lease } = await SessionWriter.of(store);
        const isWatched = async () => (await store.look(lease)).isWatched;
        assert.equal(await isWatched(), false);
        assert.equal(await store.watch(id), undefined);
        assert.equal(await isWatched(), true);
        await clock.pass(WATCH_TIME - clock.slack);
        await store.watch(id);
        await clock.pass(WATCH_TIME - clock.slack);
        assert.equal(await isWatched(), true);
        await clock.pass(WATCH_TIME);
        assert.equal(await isWatched(), false);
        await refused(store.watch('none'), 'session-unknown');
      } finally {
        clock.restore();
      }
    },
  },
  {
    name: 'what a holder shows is seen until it shows something else, and is no entry',
    run: async (store) => {
      const { id, lease } = await SessionWriter.of(store);
      const other = await SessionWriter.of(store);
      await store.watch(id);
      const draft = { text: 'é\u0000"', list: [1, null] };
      await store.show(lease, draft);
      assert.deepEqual(await store.watch(id), draft);
      await store.show(lease, { text: '' });
      assert.deepEqual(await store.watch(id), { text: '' });
      assert.equal(await store.watch(other.id), undefined);
      assert.deepEqual(await store.read(id), []);
      assert.equal((await store.get(id))?.changedAt, NOW);
      await store.show(lease, undefined);
      assert.equal(await store.watch(id), undefined);
    },
  },
  {
    name: 'what a holder shows is gone with its lease',
    run: async (store, { clock: clockOf = newClock } = {}) => {
      const clock = clockOf();
      try {
        const { id, lease } = await SessionWriter.of(store);
        await store.watch(id);
        await store.show(lease, { text: 'first' });
        await store.release(lease);
        assert.equal(await store.watch(id), undefined);
        await refused(store.show(lease, { text: 'late' }), 'session-lost');
        const { lease: next } = await SessionWriter.open(store, id);
        assert.equal(await store.watch(id), undefined);
        await store.show(next, { text: 'second' });
        await clock.pass(LEASE_TIME);
        assert.equal(await store.watch(id), undefined);
        const { lease: third } = await SessionWriter.open(store, id);
        await refused(store.show(next, { text: 'late' }), 'session-lost');
        assert.equal(await store.watch(id), undefined);
        await store.show(third, { text: 'third' });
        await store.release(third);
        assert.equal(await store.remove(id), true);
      } finally {
        clock.restore();
      }
    },
  },
];

/** Cases about search. */
export const searchCases: readonly StoreCase[] = [
  {
    name: 'all words of a query must occur, the last one may be a beginning',
    run: async (store) => {
      const one = await SessionWriter.of(store, { id: 'one' });
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
      const one = await SessionWriter.of(store, { id: 'one' });
      const long = `${'before '.repeat(100)}\n  needle\u001b[1m\n${'after '.repeat(100)}`;
      const leaf = await one.say(long);
      const [silent] = one.next('needle');
      assert.ok(silent);
      const { words: _, ...entry } = silent;
      await one.append([entry]);
      await SessionWriter.of(store, { id: 'fork', leaf: leaf.id });
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
      const one = await SessionWriter.of(store);
      await one.say(...Array.from({ length: 25 }, (_, n) => `word ${n}`));
      const hits = await store.search('word');
      assert.equal(hits.length, 20);
      assert.equal(hits[0]?.seq, 25);
      assert.equal((await store.search('word', { limit: 3 })).length, 3);
    },
  },
];
