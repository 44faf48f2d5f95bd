// test: slow
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { suite, test } from 'node:test';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import type { JsonObject } from '@toolfold/core/internal/values/json.ts';
import fc from 'fast-check';
import { exportSession } from '../../src/sessions/export-session.ts';
import { importSession, linesOf } from '../../src/sessions/import-session.ts';
import { createSession, openSession, type Session } from '../../src/sessions/session.ts';
import type { SessionStore } from '../../src/sessions/store.ts';
import { memoryStore } from '../../src/sqlite/sqlite-store.ts';

const listener = { onMessage: () => {}, onLost: () => {} };
const addressOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** A session to be made, with those of its subagents. */
interface Plan {
  readonly title: string | undefined;
  readonly folder: string | undefined;
  readonly entries: readonly { readonly kind: string; readonly body: JsonObject }[];
  readonly texts: readonly string[];
  readonly children: readonly Plan[];
}

const plansWith = (children: fc.Arbitrary<readonly Plan[]>): fc.Arbitrary<Plan> =>
  fc.record({
    title: fc.option(fc.string({ unit: 'binary' }), { nil: undefined }),
    folder: fc.option(fc.string(), { nil: undefined }),
    entries: fc.array(
      fc.record({
        kind: fc.constantFrom('user', 'model', 'result', 'a kind of the future'),
        body: fc
          .dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }))
          .map((body): JsonObject => JSON.parse(JSON.stringify(body))),
      }),
      { maxLength: 6 },
    ),
    texts: fc.uniqueArray(fc.string({ unit: 'binary' }), { maxLength: 3 }),
    children,
  });

/** Sessions with two levels below them. */
const plans = [2, 2].reduce(
  (below, maxLength) => plansWith(fc.array(below, { maxLength })),
  plansWith(fc.constant([])),
);

let clock = 1_700_000_000_000;

async function make(store: SessionStore, plan: Plan, parent?: string): Promise<Session> {
  const { title, folder, entries, texts, children } = plan;
  const id = crypto.randomUUID();
  clock += 1;
  await store.create({
    ...{ id, createdAt: clock },
    ...(title === undefined ? {} : { title }),
    ...(folder === undefined ? {} : { folder }),
    ...(parent === undefined ? {} : { parent }),
  });
  const session = await openSession(store, id);
  await session.begin(listener);
  const references = { kind: 'request', body: { texts: texts.map(addressOf) } };
  await session.append(
    [...entries, references],
    new Map(texts.map((text) => [addressOf(text), text])),
  );
  await session.end();
  for (const child of children) await make(store, child, session.id);
  return session;
}

async function listOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const linesFrom = (session: Session): Promise<string[]> => listOf(exportSession(session));

/** The lines with each id replaced by the number of its first place. */
function withoutIds(lines: readonly string[]): unknown[] {
  const numbers = new Map<unknown, number>([[null, -1]]);
  const numbered = (id: unknown) => {
    if (!numbers.has(id)) numbers.set(id, numbers.size);
    return numbers.get(id);
  };
  return lines.map((line) => {
    const value = JSON.parse(line);
    if (value.format !== undefined)
      return { ...value, session: { ...value.session, id: numbered(value.session.id) } };
    if (value.kind === undefined) return value;
    return { ...value, id: numbered(value.id), parent: numbered(value.parent) };
  });
}

const plan = (over: Partial<Plan> = {}): Plan => ({
  ...{ title: 'One', folder: '/a', texts: ['a text'], children: [] },
  entries: [
    { kind: 'user', body: { message: 'Hello.' } },
    { kind: 'model', body: { content: [{ type: 'text', text: 'Hi.' }] } },
  ],
  ...over,
});

suite('exports of sessions', () => {
  test('the export of an import equals the export, except for ids', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const here = memoryStore();
        const session = await make(here, plan);
        const lines = await linesFrom(session);
        // Into the same store, where all ids are taken.
        const copy = await importSession(here, lines, { trust: true });
        assert.notEqual(copy, session.id);
        const again = await linesFrom(await openSession(here, copy));
        assert.deepEqual(withoutIds(again), withoutIds(lines));
        // Into another store, where the sessions keep their ids.
        const there = memoryStore();
        assert.equal(await importSession(there, lines, { trust: true }), session.id);
        const other = await linesFrom(await openSession(there, session.id));
        assert.deepEqual(withoutIds(other), withoutIds(lines));
        assert.deepEqual(other[0], lines[0]);
      }),
      { numRuns: 60 },
    );
  });

  test('children keep their parent, and an export names no session outside of it', async () => {
    const store = memoryStore();
    const top = await make(store, plan({ children: [plan({ title: 'Child' })] }));
    const [child] = await store.list({ parent: top.id });
    assert.ok(child);
    const lines = await linesFrom(top);
    const copy = await importSession(store, lines, { id: 'copy' });
    const [copied, ...others] = await store.list({ parent: copy });
    assert.deepEqual([copied?.title, others], ['Child', []]);
    assert.notEqual(copied?.id, child.id);
    const [header = ''] = await linesFrom(await openSession(store, child.id));
    assert.doesNotMatch(header, /parent|forkOf/);
    const alone = await importSession(store, await linesFrom(await openSession(store, child.id)));
    assert.equal((await store.get(alone))?.parent, undefined);
  });

  test('no session of a file becomes that of a subagent of another session', async () => {
    const from = memoryStore();
    await make(from, plan({ title: 'Planted' }));
    const store = memoryStore();
    const victim = await createSession(store, { id: 'victim' });
    const lines = await linesFrom(await createSession(from, { id: 'victim/reviewer' }));
    const planted = await importSession(store, lines);
    assert.doesNotMatch(planted, /\//);
    assert.equal((await victim.child('reviewer')).record.parent, 'victim');
    await importSession(store, lines, { id: 'victim/writer' });
    const refusal = {
      code: 'invalid-option',
      message: /"victim\/writer" is not one of a subagent/,
    };
    await assert.rejects(victim.child('writer'), refusal);
  });

  test('ids that begin with that of the parent still do', async () => {
    const store = memoryStore();
    for (const [id, parent] of [
      ['top', undefined],
      ['top/call', 'top'],
      ['top/call/call', 'top/call'],
      ['topmost', 'top'],
    ] as const)
      await store.create({ id, createdAt: 1, ...(parent === undefined ? {} : { parent }) });
    const lines = await linesFrom(await openSession(store, 'top'));
    await importSession(store, lines, { id: 'copy' });
    const ids = async (parent: string) =>
      (await store.list({ parent }))
        .map(({ id }) => id.replace(/^[\da-f]{8}-.*/, 'new'))
        .toSorted();
    assert.deepEqual(await ids('copy'), ['copy/call', 'new']);
    assert.deepEqual(await ids('copy/call'), ['copy/call/call']);
  });

  test('a fork takes the entries that it shares along', async () => {
    const store = memoryStore();
    const first = await make(store, plan());
    const { leaf = null } = (await store.get(first.id)) ?? {};
    const fork = await createSession(store, { ...(leaf && { leaf }), forkOf: first.id });
    const there = memoryStore();
    const id = await importSession(there, await linesFrom(fork), { trust: true });
    const entries = await there.read(id);
    assert.deepEqual(
      entries.map(({ seq, body }) => [seq, body]),
      first.entries.map(({ seq, body }) => [seq, body]),
    );
  });

  test('sessions of a file end with a mark, unless the file is trusted', async () => {
    const store = memoryStore();
    const lines = await linesFrom(await make(store, plan({ children: [plan()] })));
    const id = await importSession(store, lines);
    const [child] = await store.list({ parent: id });
    for (const one of [id, child?.id ?? '']) {
      const entries = await store.read(one);
      assert.deepEqual(
        entries.map(({ kind }) => kind),
        ['user', 'model', 'request', 'imported'],
      );
      assert.deepEqual(await store.read(one, { after: 3 }), entries.slice(3));
    }
  });

  test('imported entries have the words that are given for them', async () => {
    const lines = await linesFrom(await make(memoryStore(), plan()));
    const store = memoryStore();
    const id = await importSession(store, lines, {
      words: ({ kind, body }) => (kind === 'user' ? String(body.message) : undefined),
    });
    assert.deepEqual(
      (await store.search('hello')).map(({ session, seq }) => [session, seq]),
      [[id, 1]],
    );
  });
});

suite('damaged exports', () => {
  const rejects = async (lines: readonly string[], message: RegExp, code = 'invalid-option') => {
    const store = memoryStore();
    await assert.rejects(importSession(store, lines), (error) => {
      assert.ok(error instanceof ToolfoldError);
      assert.match(error.message, message);
      assert.equal(error.code, code);
      return true;
    });
    assert.deepEqual(await store.list(), []);
  };
  const edited = (lines: readonly string[], at: number, edit: (value: JsonObject) => JsonObject) =>
    lines.map((line, index) => (index === at ? JSON.stringify(edit(JSON.parse(line))) : line));

  test('each mistake is named with its line, and nothing is created', async () => {
    // Header, three entries, a text, the header of a child, its three entries, its text.
    const lines = await linesFrom(await make(memoryStore(), plan({ children: [plan()] })));
    assert.equal(lines.length, 10);
    await rejects([], /Line 1 .*: it is missing; expected: the header of a session/);
    await rejects(['', ...lines.slice(1)], /Line 2 .* no header of the format "toolfold-session"/);
    await rejects(['{', ...lines.slice(1)], /Line 1 .* no JSON/);
    await rejects(['[]'], /Line 1 .* no JSON object/);
    await rejects([`{"a":${'['.repeat(500)}${']'.repeat(500)}}`], /nested too deeply/);
    const header = (more: JsonObject) => edited(lines, 0, (value) => ({ ...value, ...more }));
    await rejects(header({ version: 0 }), /Line 1 .* its version is wrong/);
    await rejects(header({ version: 2 }), /Line 1: a newer version .*format 2/, 'session-newer');
    await rejects(header({ entries: -1 }), /Line 1 .* numbers of entries, texts and children/);
    await rejects(header({ entries: 4 }), /Line 5 .* the entry has no id/);
    await rejects(header({ entries: 2 }), /Line 4 .* not a text with its address/);
    await rejects(header({ texts: 0 }), /Line 5 .* no header/);
    await rejects(header({ children: 0 }), /Line 6 .* the session has ended before it/);
    await rejects(header({ children: 2 }), /Line 11 .* missing; expected: the header/);
    await rejects(header({ session: { createdAt: 1 } }), /Line 1 .* has no id/);
    await rejects(header({ session: { id: 'a', createdAt: -1 } }), /Line 1 .* no time of creation/);
    await rejects(header({ session: { id: 'a', createdAt: 1, title: 1 } }), /Line 1 .* no text/);
    const third = (more: JsonObject) => edited(lines, 2, (value) => ({ ...value, ...more }));
    await rejects(third({ id: '' }), /Line 3 .* no id/);
    await rejects(third({ kind: 1 }), /Line 3 .* no kind/);
    await rejects(third({ body: [] }), /Line 3 .* no body/);
    await rejects(third({ seq: 3 }), /Line 3 .* its number is not 2/);
    await rejects(third({ parent: null }), /Line 3 .* its parent is not the entry before it/);
    await rejects(third({ at: 5 }), /Line 3 .* its time is wrong/);
    await rejects(third({ at: 9e15 }), /Line 3 .* its time is wrong/);
    const text = (more: JsonObject) => edited(lines, 4, (value) => ({ ...value, ...more }));
    await rejects(text({ text: 'b' }), /Line 5 .* not a text with its address/);
    await rejects(text({ text: 'b', address: addressOf('b') }), /Line 5 .* no entry refers to/);
    for (let count = 0; count < lines.length; count++)
      await rejects(lines.slice(0, count), new RegExp(`Line ${count + 1} .* missing`));
  });

  test('sessions are not nested without end', async () => {
    const [line = ''] = await linesFrom(
      await make(memoryStore(), plan({ entries: [], texts: [] })),
    );
    const header = JSON.stringify({ ...JSON.parse(line), entries: 0, children: 1 });
    await rejects(Array<string>(20_000).fill(header), /Line 18 .* below too many others/);
  });

  test('no damage throws anything but a ToolfoldError', async () => {
    const text = (await linesFrom(await make(memoryStore(), plan({ children: [plan()] })))).join(
      '\n',
    );
    const place = fc.integer({ min: 0, max: text.length });
    const junk = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 5 }),
      fc.constantFrom('"', '{', '}', ',', '\n', 'null', '-1', '1e999', '"__proto__":', '[[', '0'),
    );
    await fc.assert(
      fc.asyncProperty(place, place, junk, async (from, length, junk) => {
        const damaged = text.slice(0, from) + junk + text.slice(from + (length % 40));
        const store = memoryStore();
        try {
          await importSession(store, damaged.split('\n'));
        } catch (error) {
          assert.ok(error instanceof ToolfoldError, String(error));
          assert.deepEqual(await store.list(), []);
        }
      }),
      { numRuns: 400 },
    );
  });

  test('what was created is removed if the store fails', async () => {
    const lines = await linesFrom(await make(memoryStore(), plan({ children: [plan()] })));
    const store = memoryStore();
    let appends = 0;
    const full: SessionStore = {
      ...store,
      retryTimeout: 0,
      append: async (...given) => {
        appends += 1;
        if (appends > 1) throw new ToolfoldError('session-unavailable', 'Full.', 'Make space.');
        await store.append(...given);
      },
    };
    await assert.rejects(importSession(full, lines), { code: 'session-unavailable' });
    assert.deepEqual(await store.list(), []);
  });

  test('a given id must be free', async () => {
    const store = memoryStore();
    const lines = await linesFrom(await make(store, plan()));
    await importSession(store, lines, { id: 'mine' });
    await assert.rejects(importSession(store, lines, { id: 'mine' }), {
      code: 'invalid-option',
      message: /There is a session "mine" already/,
    });
  });
});

test('chunks of text become lines, wherever they are cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string()), fc.array(fc.nat(40)), async (texts, cuts) => {
      const lines = texts.map((text) => text.replaceAll('\n', '\u2028'));
      let rest = lines.map((line) => `${line}\n`).join('');
      const chunks = cuts.map((length) => {
        const chunk = rest.slice(0, length);
        rest = rest.slice(length);
        return chunk;
      });
      const found = await listOf(linesOf([...chunks, rest]));
      assert.deepEqual(found, lines);
    }),
  );
  assert.deepEqual(await listOf(linesOf(['a\nb'])), ['a', 'b']);
});
