import assert from 'node:assert/strict';
import type { SessionStore } from '@toolfold/agent/internal/sessions';
import { addressOf, NOW, refused, SessionWriter, type StoreCase, textsOf } from './writer.ts';

const ids = async (list: ReturnType<SessionStore['list']>) => (await list).map(({ id }) => id);

/** Cases about sessions. */
export const sessionCases: readonly StoreCase[] = [
  {
    name: 'a session that was created is found with all it was given',
    run: async (store) => {
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
    name: 'a title that is hard to keep comes back exactly or well-formed, or is refused for good',
    run: async (store) => {
      for (const [index, title] of ['a\u0000b', 'a\ud800b', '', ' ', '\u202e'].entries()) {
        const id = `odd-${index}`;
        const failure = await store.create({ id, createdAt: NOW, title }).then(
          () => undefined,
          (error: unknown) => error,
        );
        const kept = await store.get(id);
        if (failure === undefined)
          assert.ok([title, title.toWellFormed()].includes(kept?.title ?? 'none'), id);
        else await refused(Promise.reject(failure), 'invalid-option');
        assert.equal(kept === undefined, failure !== undefined);
      }
    },
  },
  {
    name: 'an id that is taken is refused, and changes nothing',
    run: async (store) => {
      const { id } = await SessionWriter.of(store, { title: 'first' });
      await refused(store.create({ id, createdAt: NOW, title: 'second' }), 'invalid-option');
      assert.equal((await store.get(id))?.title, 'first');
    },
  },
  {
    name: 'a leaf that is not there is refused',
    run: async (store) => {
      await refused(store.create({ id: 'a', createdAt: NOW, leaf: 'none' }), 'invalid-option');
      assert.equal(await store.get('a'), undefined);
    },
  },
  {
    name: 'a list begins with the newest change, by folder, by parent and by number',
    run: async (store) => {
      const old = await SessionWriter.of(store, { id: 'old', folder: '/a' });
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
    run: async (store) => {
      const { id } = await SessionWriter.of(store, { title: 'a' });
      await store.rename(id, 'b');
      assert.equal((await store.get(id))?.title, 'b');
      assert.equal((await store.get(id))?.changedAt, NOW);
      await refused(store.rename('none', 'b'), 'session-unknown');
    },
  },
  {
    name: 'no session is below itself, neither at once nor through others',
    run: async (store) => {
      await refused(store.create({ id: 'a', createdAt: NOW, parent: 'a' }), 'invalid-option');
      await store.create({ id: 'a', createdAt: NOW, parent: 'c' });
      await store.create({ id: 'b', createdAt: NOW, parent: 'a' });
      await refused(store.create({ id: 'c', createdAt: NOW, parent: 'b' }), 'invalid-option');
      assert.equal(await store.get('c'), undefined);
    },
  },
];

/** Cases about forks and about removal. */
export const forkCases: readonly StoreCase[] = [
  {
    name: 'a fork begins with the entries up to its leaf, and both go on by themselves',
    run: async (store) => {
      const one = await SessionWriter.of(store);
      const leaf = await one.say('a', 'b');
      await one.say('c');
      await store.create({ id: 'fork', createdAt: NOW, leaf: leaf.id, forkOf: one.id });
      const record = await store.get('fork');
      assert.deepEqual([record?.leaf, record?.seq, record?.changedAt], [leaf.id, 2, leaf.at]);
      const fork = await SessionWriter.open(store, 'fork');
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
    run: async (store) => {
      const one = await SessionWriter.of(store, { id: '1' });
      const a = await one.say('a');
      const b = await one.say('b');
      const two = await SessionWriter.of(store, { id: '2', leaf: b.id });
      const c = await two.say('c');
      await two.say('x');
      const three = await SessionWriter.of(store, { id: '3', leaf: c.id });
      await three.say('d');
      await SessionWriter.of(store, { id: '4', leaf: b.id });
      const five = await SessionWriter.of(store, { id: '5', leaf: a.id, forkOf: '3' });
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
      const six = await SessionWriter.of(store, { id: '6', leaf: c.id });
      await six.say('z');
      assert.deepEqual(await textsOf(store, '6'), ['a', 'b', 'c', 'z']);
    },
  },
  {
    name: 'removal removes a session, its subagents and what no other session shares',
    run: async (store) => {
      const texts = (text: string) => new Map([[addressOf(text), text]]);
      const one = await SessionWriter.of(store, { id: 'one' });
      const shared = await one.append(one.next('shared words'), texts('shared'));
      const own = await one.append(one.next('own words'), texts('own'));
      const child = await SessionWriter.of(store, { id: 'child', parent: 'one' });
      await child.append(child.next('child words'), texts('child'));
      const grandchild = await SessionWriter.of(store, { id: 'grandchild', parent: 'child' });
      await SessionWriter.of(store, { id: 'fork', leaf: shared.id, forkOf: 'one' });
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
      const again = await SessionWriter.of(store, { id: 'one' });
      await again.say('new');
      assert.deepEqual(await textsOf(store, 'one'), ['new']);
      assert.deepEqual(await textsOf(store, 'fork'), ['shared words']);
    },
  },
  {
    name: 'removal is refused while the session or one of its subagents is written',
    run: async (store) => {
      const one = await SessionWriter.of(store, { id: 'one' });
      await refused(store.remove('one'), 'session-busy');
      await store.release(one.lease);
      const child = await SessionWriter.of(store, { id: 'child', parent: 'one' });
      await refused(store.remove('one'), 'session-busy');
      assert.ok(await store.get('one'));
      await store.release(child.lease);
      assert.equal(await store.remove('one'), true);
    },
  },
];
