import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { mock } from 'node:test';
import type { Entry, NewEntry, NewSession } from './entry.ts';
import { LEASE_TIME, type Lease, type Owner } from './lease.ts';
import { newOwner } from './owner.ts';
import type { SessionStore } from './store.ts';

/** One sentence of the interface of a store, and its check on a store that is empty. */
export interface StoreCase {
  readonly name: string;
  readonly check: (open: () => Promise<SessionStore>) => Promise<void>;
}

const NOW = 1_700_000_000_000;

export const addressOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** An owner whose process has ended: process numbers are never this large. */
const endedOwner = (): Owner => ({ ...newOwner(), pid: 2 ** 30 });

/** A session in a store with its lease, and a short way to append. */
export class Writer {
  readonly store: SessionStore;
  readonly id: string;
  readonly lease: Lease;
  #last: Pick<Entry, 'id' | 'seq'> | undefined;

  private constructor(store: SessionStore, id: string, lease: Lease, last?: Entry) {
    this.store = store;
    this.id = id;
    this.lease = lease;
    this.#last = last;
  }

  static async of(store: SessionStore, session: Partial<NewSession> = {}): Promise<Writer> {
    const id = session.id ?? randomUUID();
    await store.create({ createdAt: NOW, ...session, id });
    return Writer.open(store, id);
  }

  static async open(store: SessionStore, id: string): Promise<Writer> {
    const lease = await store.acquire(id, newOwner());
    return new Writer(store, id, lease, (await store.read(id)).at(-1));
  }

  /** Entries that would follow the last one, one for each text. */
  next(...texts: readonly string[]): NewEntry[] {
    let { id: parent, seq }: { id: string | null; seq: number } = this.#last ?? {
      id: null,
      seq: 0,
    };
    return texts.map((text) => {
      seq++;
      const entry = { id: randomUUID(), parent, seq, kind: 'user', body: { text }, at: NOW + seq };
      parent = entry.id;
      return { ...entry, words: text };
    });
  }

  /** Appends one entry for each text, and returns the last one. */
  async say(...texts: readonly string[]): Promise<NewEntry> {
    return this.append(this.next(...texts));
  }

  async append(
    entries: readonly NewEntry[],
    texts?: ReadonlyMap<string, string>,
  ): Promise<NewEntry> {
    await this.store.append(entries, { lease: this.lease, ...(texts ? { texts } : {}) });
    const last = entries.at(-1);
    assert.ok(last);
    this.#last = last;
    return last;
  }
}

/** The texts of a session's entries. */
export async function textsOf(store: SessionStore, id: string, after = 0): Promise<unknown[]> {
  return (await store.read(id, { after })).map(({ body }) => body.text);
}

const refused = (work: Promise<unknown>, code: string) => assert.rejects(work, { code });
const ids = async (list: ReturnType<SessionStore['list']>) => (await list).map(({ id }) => id);

/** The sentences about sessions. */
const SESSIONS: readonly StoreCase[] = [
  {
    name: 'a session that was created is found with all it was given',
    check: async (open) => {
      const store = await open();
      const given = { id: 'one', createdAt: NOW, title: 'A title', folder: '/a', forkOf: 'zero' };
      await store.create(given);
      const expected = { ...given, leaf: null, seq: 0, changedAt: NOW };
      assert.deepEqual(await store.get('one'), expected);
      assert.deepEqual(await store.list(), [expected]);
      assert.equal(await store.get('two'), undefined);
      await store.create({ id: 'two', createdAt: NOW, parent: 'one' });
      const child = {
        id: 'two',
        createdAt: NOW,
        parent: 'one',
        leaf: null,
        seq: 0,
        changedAt: NOW,
      };
      assert.deepEqual(await store.get('two'), child);
    },
  },
  {
    name: 'an id that is taken is refused, and changes nothing',
    check: async (open) => {
      const store = await open();
      const { id } = await Writer.of(store, { title: 'first' });
      await refused(store.create({ id, createdAt: NOW, title: 'second' }), 'invalid-option');
      assert.equal((await store.get(id))?.title, 'first');
    },
  },
  {
    name: 'a leaf that is not there is refused',
    check: async (open) => {
      const store = await open();
      await refused(store.create({ id: 'a', createdAt: NOW, leaf: 'none' }), 'invalid-option');
      assert.equal(await store.get('a'), undefined);
    },
  },
  {
    name: 'a list begins with the newest change, by folder, by parent and by number',
    check: async (open) => {
      const store = await open();
      const old = await Writer.of(store, { id: 'old', folder: '/a' });
      await store.create({ id: 'new', createdAt: NOW + 1, folder: '/b' });
      await store.create({ id: 'same', createdAt: NOW + 1, folder: '/a' });
      await store.create({ id: 'child', createdAt: NOW, parent: 'old', folder: '/a' });
      assert.deepEqual(await ids(store.list()), ['same', 'new', 'old']);
      await old.say('a', 'b');
      assert.deepEqual(await ids(store.list()), ['old', 'same', 'new']);
      assert.equal((await store.get('old'))?.changedAt, NOW + 2);
      assert.deepEqual(await ids(store.list({ folder: '/a' })), ['old', 'same']);
      assert.deepEqual(await ids(store.list({ parent: 'old' })), ['child']);
      assert.deepEqual(await ids(store.list({ parent: 'old', folder: '/b' })), []);
      assert.deepEqual(await ids(store.list({ limit: 1 })), ['old']);
      assert.deepEqual(await ids(store.list({ limit: 0 })), []);
    },
  },
  {
    name: 'a session gets a new title, and its time of change stays',
    check: async (open) => {
      const store = await open();
      const { id } = await Writer.of(store, { title: 'a' });
      await store.rename(id, 'b');
      assert.equal((await store.get(id))?.title, 'b');
      assert.equal((await store.get(id))?.changedAt, NOW);
      await refused(store.rename('none', 'b'), 'session-unknown');
    },
  },
];

/** The sentences about entries. */
const ENTRIES: readonly StoreCase[] = [
  {
    name: 'entries are read as they were appended, all or after a number',
    check: async (open) => {
      const writer = await Writer.of(await open());
      const body = { text: 'é\u0000\ud800"', list: [1.5, null, { deep: true }], '': '' };
      const entries = writer.next('a', 'b', 'c').map((entry) => ({ ...entry, body }));
      await writer.append(entries);
      const expected = entries.map(({ words: _, ...entry }) => entry);
      const { store, id } = writer;
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
    check: async (open) => {
      const writer = await Writer.of(await open());
      const [entry] = writer.next('first');
      assert.ok(entry);
      const body = { list: ['a'] };
      await writer.append([{ ...entry, body }]);
      body.list.push('b');
      const [read] = await writer.store.read(writer.id);
      Object.assign(read?.body ?? {}, { list: [] });
      const [again] = await writer.store.read(writer.id);
      assert.deepEqual(again?.body, { list: ['a'] });
    },
  },
  {
    name: 'entries that do not follow the last one are refused whole',
    check: async (open) => {
      const writer = await Writer.of(await open());
      await writer.say('a');
      const { store, lease, id } = writer;
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
    check: async (open) => {
      const store = await open();
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
    check: async (open) => {
      const store = await open();
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
    check: async (open) => {
      const writer = await Writer.of(await open());
      const large = 'result '.repeat(700_000);
      const entries = writer.next('a').map((entry) => ({ ...entry, body: { text: large } }));
      await writer.append(entries);
      const [text] = await textsOf(writer.store, writer.id);
      assert.ok(text === large);
    },
  },
];

/** The sentences about forks and about removal. */
const FORKS: readonly StoreCase[] = [
  {
    name: 'a fork begins with the entries up to its leaf, and both go on by themselves',
    check: async (open) => {
      const store = await open();
      const one = await Writer.of(store);
      const leaf = await one.say('a', 'b');
      await one.say('c');
      await store.create({ id: 'fork', createdAt: NOW, leaf: leaf.id, forkOf: one.id });
      const record = await store.get('fork');
      assert.deepEqual([record?.leaf, record?.seq, record?.changedAt], [leaf.id, 2, leaf.at]);
      const fork = await Writer.open(store, 'fork');
      await fork.say('d');
      await one.say('e');
      assert.deepEqual(await textsOf(store, one.id), ['a', 'b', 'c', 'e']);
      assert.deepEqual(await textsOf(store, 'fork'), ['a', 'b', 'd']);
      assert.deepEqual(await textsOf(store, 'fork', 1), ['b', 'd']);
      assert.deepEqual(await textsOf(store, 'fork', 2), ['d']);
      const [shared] = await store.read('fork');
      assert.deepEqual((await store.read(one.id))[0], shared);
    },
  },
  {
    name: 'forks of forks share every part, also at an entry of the first session',
    check: async (open) => {
      const store = await open();
      const one = await Writer.of(store, { id: '1' });
      const a = await one.say('a');
      const b = await one.say('b');
      const two = await Writer.of(store, { id: '2', leaf: b.id });
      const c = await two.say('c');
      await two.say('x');
      const three = await Writer.of(store, { id: '3', leaf: c.id });
      await three.say('d');
      await Writer.of(store, { id: '4', leaf: b.id });
      const five = await Writer.of(store, { id: '5', leaf: a.id, forkOf: '3' });
      await five.say('y');
      assert.deepEqual(await textsOf(store, '3'), ['a', 'b', 'c', 'd']);
      assert.deepEqual(await textsOf(store, '4'), ['a', 'b']);
      assert.deepEqual(await textsOf(store, '5'), ['a', 'y']);
      await Promise.all([one, two].map(({ lease }) => store.release(lease)));
      assert.deepEqual(await store.remove('1'), true);
      assert.deepEqual(await store.remove('2'), true);
      assert.deepEqual(await textsOf(store, '3'), ['a', 'b', 'c', 'd']);
      assert.deepEqual(await textsOf(store, '5'), ['a', 'y']);
      await refused(store.create({ id: '6', createdAt: NOW, leaf: 'none' }), 'invalid-option');
      const six = await Writer.of(store, { id: '6', leaf: c.id });
      await six.say('z');
      assert.deepEqual(await textsOf(store, '6'), ['a', 'b', 'c', 'z']);
    },
  },
  {
    name: 'removal removes a session, its subagents and what no other session shares',
    check: async (open) => {
      const store = await open();
      const texts = (text: string) => new Map([[addressOf(text), text]]);
      const one = await Writer.of(store, { id: 'one' });
      const shared = await one.append(one.next('shared words'), texts('shared'));
      const own = await one.append(one.next('own words'), texts('own'));
      const child = await Writer.of(store, { id: 'child', parent: 'one' });
      await child.append(child.next('child words'), texts('child'));
      const grandchild = await Writer.of(store, { id: 'grandchild', parent: 'child' });
      await Writer.of(store, { id: 'fork', leaf: shared.id, forkOf: 'one' });
      for (const { lease } of [one, child, grandchild]) await store.release(lease);
      assert.equal(await store.remove('one'), true);
      for (const id of ['one', 'child', 'grandchild']) {
        assert.equal(await store.get(id), undefined);
        await refused(store.read(id), 'session-unknown');
      }
      assert.deepEqual(await textsOf(store, 'fork'), ['shared words']);
      assert.equal(await store.text(addressOf('shared')), 'shared');
      assert.equal(await store.text(addressOf('own')), undefined);
      assert.equal(await store.text(addressOf('child')), undefined);
      await refused(store.create({ id: 'x', createdAt: NOW, leaf: own.id }), 'invalid-option');
      assert.deepEqual(
        (await store.search('words')).map(({ session }) => session),
        ['fork'],
      );
      assert.equal(await store.remove('one'), false);
      // The id is free again, and what follows does not mix with what was removed.
      const again = await Writer.of(store, { id: 'one' });
      await again.say('new');
      assert.deepEqual(await textsOf(store, 'one'), ['new']);
      assert.deepEqual(await textsOf(store, 'fork'), ['shared words']);
    },
  },
  {
    name: 'removal is refused while the session or one of its subagents is written',
    check: async (open) => {
      const store = await open();
      const one = await Writer.of(store, { id: 'one' });
      await refused(store.remove('one'), 'session-busy');
      await store.release(one.lease);
      const child = await Writer.of(store, { id: 'child', parent: 'one' });
      await refused(store.remove('one'), 'session-busy');
      assert.ok(await store.get('one'));
      await store.release(child.lease);
      assert.equal(await store.remove('one'), true);
    },
  },
];

/** The sentences about leases. */
const LEASES: readonly StoreCase[] = [
  {
    name: 'a lease that is held is refused to others, who are told its holder',
    check: async (open) => {
      const store = await open();
      const { id, lease } = await Writer.of(store);
      await assert.rejects(store.acquire(id, newOwner()), {
        code: 'session-busy',
        message: new RegExp(`${lease.owner.pid}.*${lease.owner.host}`),
      });
      assert.deepEqual(await store.holder(id), lease.owner);
      await refused(store.acquire('none', newOwner()), 'session-unknown');
      await refused(store.holder('none'), 'session-unknown');
    },
  },
  {
    name: 'a released lease is free, and nothing is done with it any more',
    check: async (open) => {
      const store = await open();
      const writer = await Writer.of(store);
      const { id, lease } = writer;
      await store.release(lease);
      assert.equal(await store.holder(id), undefined);
      await refused(store.append(writer.next('a'), { lease }), 'session-lost');
      await refused(store.renew(lease), 'session-lost');
      await refused(store.take(lease), 'session-lost');
      const next = await store.acquire(id, newOwner());
      assert.ok(next.fence > lease.fence);
      await store.release(lease);
      assert.deepEqual(await store.holder(id), next.owner);
    },
  },
  {
    name: 'a lease of an owner that is gone is free at once',
    check: async (open) => {
      const store = await open();
      await store.create({ id: 'one', createdAt: NOW });
      const lost = await store.acquire('one', endedOwner());
      assert.equal(await store.holder('one'), undefined);
      const next = await store.acquire('one', newOwner());
      await refused(store.renew(lost), 'session-lost');
      await refused(store.take(lost), 'session-lost');
      await store.release(lost);
      assert.deepEqual(await store.holder('one'), next.owner);
    },
  },
  {
    name: 'a lease that is not renewed in time is free, and its holder writes until another takes it',
    check: async (open) => {
      const store = await open();
      mock.timers.enable({ apis: ['Date'], now: NOW });
      try {
        const writer = await Writer.of(store);
        const { id, lease } = writer;
        mock.timers.setTime(NOW + LEASE_TIME - 1);
        assert.deepEqual(await store.holder(id), lease.owner);
        await store.renew(lease);
        mock.timers.setTime(NOW + LEASE_TIME + 1);
        assert.deepEqual(await store.holder(id), lease.owner);
        mock.timers.setTime(NOW + 2 * LEASE_TIME);
        assert.equal(await store.holder(id), undefined);
        await writer.say('a');
        assert.deepEqual(await store.holder(id), lease.owner);
        mock.timers.setTime(NOW + 3 * LEASE_TIME);
        const second = await Writer.open(store, id);
        assert.ok(second.lease.fence > lease.fence);
        await refused(store.append(writer.next('b'), { lease }), 'session-lost');
        await second.say('c');
        assert.deepEqual(await textsOf(store, id), ['a', 'c']);
      } finally {
        mock.timers.reset();
      }
    },
  },
  {
    name: 'a clock that was set back holds no lease',
    check: async (open) => {
      const store = await open();
      mock.timers.enable({ apis: ['Date'], now: NOW });
      try {
        const { id, lease } = await Writer.of(store);
        mock.timers.setTime(NOW - LEASE_TIME + 1);
        assert.deepEqual(await store.holder(id), lease.owner);
        mock.timers.setTime(NOW - LEASE_TIME);
        assert.equal(await store.holder(id), undefined);
        await store.renew(lease);
        assert.deepEqual(await store.holder(id), lease.owner);
      } finally {
        mock.timers.reset();
      }
    },
  },
];

/** The sentences about messages to the holder. */
const INBOX: readonly StoreCase[] = [
  {
    name: 'messages are taken in order, each once, and never stored again',
    check: async (open) => {
      const store = await open();
      const { id, lease } = await Writer.of(store);
      assert.deepEqual(await store.take(lease), []);
      const answer = { id: 'b', kind: 'answer', body: { approve: true } } as const;
      const cancel = { id: 'a', kind: 'cancel', body: {} } as const;
      await store.post(id, answer);
      await store.post(id, cancel);
      await store.post(id, { ...answer, body: { approve: false } });
      assert.deepEqual(await store.take(lease), [answer, cancel]);
      assert.deepEqual(await store.take(lease), []);
      await store.post(id, answer);
      assert.deepEqual(await store.take(lease), []);
      await refused(store.post('none', answer), 'session-unknown');
    },
  },
  {
    name: 'messages wait for a holder, in the inbox of their session',
    check: async (open) => {
      const store = await open();
      const message = { id: 'a', kind: 'answer', body: { text: 'yes' } } as const;
      await store.create({ id: 'one', createdAt: NOW });
      await store.create({ id: 'two', createdAt: NOW });
      await store.post('one', message);
      await store.post('two', message);
      const lease = await store.acquire('one', newOwner());
      assert.deepEqual(await store.take(lease), [message]);
      await store.release(lease);
      await refused(store.take(lease), 'session-lost');
      assert.deepEqual(await store.take(await store.acquire('two', newOwner())), [message]);
    },
  },
];

/** The sentences about search. */
const SEARCH: readonly StoreCase[] = [
  {
    name: 'all words of a query must occur, the last one may be a beginning',
    check: async (open) => {
      const store = await open();
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
    check: async (open) => {
      const store = await open();
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
    check: async (open) => {
      const store = await open();
      const one = await Writer.of(store);
      await one.say(...Array.from({ length: 25 }, (_, n) => `word ${n}`));
      const hits = await store.search('word');
      assert.equal(hits.length, 20);
      assert.equal(hits[0]?.seq, 25);
      assert.equal((await store.search('word', { limit: 3 })).length, 3);
    },
  },
];

/** The behaviour that every store has. */
export const STORE_CASES: readonly StoreCase[] = [
  ...SESSIONS,
  ...ENTRIES,
  ...FORKS,
  ...LEASES,
  ...INBOX,
  ...SEARCH,
  {
    name: 'a closed store is closed again without an error',
    check: async (open) => {
      const store = await open();
      await store.close();
      await store.close();
    },
  },
];
