import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession, importSession, memoryStore, openSession } from '../../src/sessions.ts';

/** Calls with an argument that is missing or of another type, by the option that the error names. */
const WRONG: readonly (readonly [option: string, call: (...odd: never[]) => Promise<unknown>])[] = [
  ['store', () => Reflect.apply(createSession, undefined, [])],
  ['store', () => Reflect.apply(createSession, undefined, [{}])],
  ['store', () => Reflect.apply(createSession, undefined, [sqliteStoreNotAwaited()])],
  ['store', () => Reflect.apply(openSession, undefined, [null, 'a'])],
  ['store', () => Reflect.apply(importSession, undefined, ['sessions', []])],
  ...['id', 'title', 'folder', 'parent', 'forkOf', 'leaf', 'createdAt'].map(
    (option) =>
      [
        option,
        () => Reflect.apply(createSession, undefined, [memoryStore(), { [option]: {} }]),
      ] as const,
  ),
  ['id', () => Reflect.apply(openSession, undefined, [memoryStore()])],
  ['id', () => Reflect.apply(openSession, undefined, [memoryStore(), 5])],
  ['lines', () => Reflect.apply(importSession, undefined, [memoryStore()])],
  ['lines', () => Reflect.apply(importSession, undefined, [memoryStore(), 'a text'])],
  ...Object.entries({ id: 5, words: 'a', trust: 'yes' }).map(
    ([option, value]) =>
      [
        option,
        () => Reflect.apply(importSession, undefined, [memoryStore(), [], { [option]: value }]),
      ] as const,
  ),
];

/** What an app has that forgets `await`. */
function sqliteStoreNotAwaited(): Promise<unknown> {
  return Promise.resolve(memoryStore());
}

test('an option that is missing or has a value it cannot have is named', async () => {
  for (const [option, call] of WRONG)
    await assert.rejects(call(), {
      code: 'invalid-option',
      message: new RegExp(`^The option "${option}" has a value it cannot have\\. Expected: `),
    });
});

test('a store may inherit its functions, as an object of a class does', async () => {
  const session = await createSession(Object.create(memoryStore()), { id: 'a' });
  assert.equal(session.id, 'a');
});
