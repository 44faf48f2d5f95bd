import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { CHOSEN, KINDS, type Kind, questionScene } from './question-scene.test-support.ts';

/**
 * What keys do: while the user types, in the first 300 ms, then with an empty message, and with a message.
 * `box`: it does what it does without a question. `-`: nothing.
 */
const RULES = {
  '\r': ['box', '-', 'answer', 'box'],
  '\u001B': ['box', '-', 'box', 'box'],
  '\u001B[A': ['box', '-', 'previous', 'previous'],
  '\u001B[B': ['box', '-', 'next', 'next'],
  '\u001B[C': ['box', '-', 'box', 'box'],
  '\t': ['box', '-', 'next', 'next'],
  '\u001B[Z': ['box', '-', 'previous', 'previous'],
  '\u001B\r': ['box', 'box', 'box', 'box'],
  '\u001B[200~2 yes\r\u001B[201~': ['box', 'box', 'box', 'box'],
  '\u007F': ['box', 'box', 'box', 'box'],
  ...Object.fromEntries([...'0129ynsatY ?.,/@'].map((key) => [key, ['box', 'box', 'box', 'box']])),
} as Readonly<Record<string, readonly string[]>>;

/** Milliseconds between the last key and the question, and between the question and this key. */
const RHYTHMS = {
  'right after typing': { before: 0, after: 0, at: 0 },
  '999 ms after typing': { before: 600, after: 399, at: 0 },
  'at the pause': { before: 600, after: 400, at: 1 },
  '299 ms after the pause': { before: 600, after: 699, at: 1 },
  '300 ms after the pause': { before: 600, after: 700, at: 2 },
  'as it opens, without a key before': { before: undefined, after: 0, at: 1 },
  '299 ms later, without a key before': { before: undefined, after: 299, at: 1 },
  '300 ms later, without a key before': { before: undefined, after: 300, at: 2 },
  'at once, a second after typing': { before: 1000, after: 0, at: 1 },
  'half a second after typing': { before: 0, after: 500, at: 0 },
  'a pause that began with the question': { before: 0, after: 1000, at: 1 },
  'the end of its first moment': { before: 0, after: 1299, at: 1 },
  'behind its first moment': { before: 0, after: 1300, at: 2 },
  'slow typing': { before: 300, after: 699, at: 0 },
  'slow typing that stops': { before: 300, after: 700, at: 1 },
  'slow typing that stopped': { before: 300, after: 1000, at: 2 },
  'nearly a pause': { before: 999, after: 0, at: 0 },
  'a pause that ends with the question': { before: 999, after: 1, at: 1 },
  'the same, 300 ms later': { before: 999, after: 301, at: 2 },
  '299 ms, a second after typing': { before: 1000, after: 299, at: 1 },
  '300 ms, a second after typing': { before: 1000, after: 300, at: 2 },
} as const;

suite('keys while a question comes', () => {
  for (const kind of Object.keys(KINDS) as Kind[])
    for (const [rhythm, { before, after, at }] of Object.entries(RHYTHMS))
      test(`${kind}: ${rhythm}`, async () => {
        for (const message of ['', 'a message'])
          for (const [key, rules] of Object.entries(RULES)) {
            const scene = questionScene(message);
            if (before !== undefined) scene.type('x', before);
            await scene.ask(kind);
            scene.wait(after);
            const expected = rules[at === 2 && message !== '' ? 3 : at];
            const label = `${JSON.stringify(key)} with ${message || 'nothing'}`;
            assert.equal(await scene.press(key), expected, label);
            scene.end();
          }
      });
});

suite('what Enter answers', () => {
  for (const [kind, { marked }] of Object.entries(KINDS))
    test(`${kind}: ${marked}`, async () => {
      const scene = questionScene('');
      await scene.ask(kind as Kind);
      scene.wait(300);
      assert.match(scene.screen(), new RegExp(`❯ ${marked}`));
      await scene.press('\r');
      assert.deepEqual(await scene.answer(), CHOSEN[kind as Kind]);
      scene.end();
    });

  test('Enter right after a message was sent answers nothing', async () => {
    const scene = questionScene('wait');
    await scene.ask('approval');
    scene.wait(300);
    assert.equal(await scene.press('\r'), 'box');
    scene.setMessage('');
    scene.wait(299);
    assert.equal(await scene.press('\r'), '-');
    scene.wait(1);
    assert.equal(await scene.press('\r'), 'answer');
  });

  test('the next question waits for a pause after the answer to the one before', async () => {
    const scene = questionScene('');
    await scene.ask('approval');
    scene.wait(300);
    assert.equal(await scene.press('\r'), 'answer');
    await scene.ask('approval');
    scene.wait(400);
    assert.equal(await scene.press('\r'), 'box');
    assert.doesNotMatch(scene.screen(), /Allow once/);
    scene.wait(1000);
    assert.match(scene.screen(), /Allow once/);
    assert.equal(await scene.press('\r'), '-');
    scene.wait(300);
    assert.equal(await scene.press('\r'), 'answer');
  });

  test('"always" is confirmed, and the mark begins at going back', async () => {
    const scene = questionScene('');
    await scene.ask('approval');
    scene.wait(300);
    for (const key of ['\t', '3', '\r']) await scene.press(key);
    assert.match(scene.screen(), /without a question\? toolfold\.json keeps this\.\n❯ No, go back/);
    assert.equal(await scene.press('\r'), '-');
    scene.wait(300);
    await scene.press('\r');
    assert.match(
      scene.screen(),
      /mail__send \{"to":"Ada"\}\nIt needs your approval\.\nRun mail__send\?\n❯ Allow once/,
    );
    scene.wait(300);
    for (const key of ['\t', '3', '\r']) await scene.press(key);
    scene.wait(300);
    for (const key of ['\t', '\r']) await scene.press(key);
    assert.deepEqual(await scene.answer(), { approved: true, scope: 'always' });
  });

  test('"No, because …" opens a line for the reason', async () => {
    const scene = questionScene('');
    await scene.ask('approval');
    scene.wait(300);
    for (const key of ['\t', '5', '\r']) await scene.press(key);
    assert.match(scene.screen(), /Why not run mail__send\? The model reads it\n> /);
    for (const key of ['n', 'o', '\r', '2', '\u001B[200~ \u001B[201~', 'y']) await scene.press(key);
    assert.match(scene.screen(), /> no2 y/);
    scene.wait(300);
    await scene.press('\r');
    const reason = 'The user denied this call and says: no2 y';
    assert.deepEqual(await scene.answer(), { approved: false, reason });
  });

  test('long arguments are shown in full', async () => {
    const scene = questionScene('');
    await scene.ask('long');
    scene.wait(300);
    await scene.press('\t');
    assert.match(scene.screen(), /6\. Show all arguments/);
    for (const key of ['6', '\r']) await scene.press(key);
    scene.wait(300);
    for (let at = 0; at < 100; at += 1) await scene.press('\u001B[1;2B');
    assert.match(scene.screen(), /the end/);
    await scene.press('\r');
    assert.deepEqual(await scene.answer(), { approved: true, scope: 'once' });
  });
});

suite('digits', () => {
  /** Keys of a user with an empty message, and what the last one does. */
  const SEQUENCES: readonly (readonly [keys: readonly string[], last: string])[] = [
    [['\t', '1'], 'first'],
    [['\t', '\u001B[B', '2'], 'second'],
    [['\t', '9'], 'box'],
    [['\t', '0'], 'box'],
    [['2'], 'box'],
    [['2', '2'], 'box'],
    [['\t', 'a', '1'], 'box'],
    [['\t', '.', '1'], 'box'],
    [['\t', '9', '1'], 'box'],
    [['\t', '\u001B[C', '1'], 'box'],
    [['\t', '\u007F', '1'], 'box'],
    [['\t', '\u001B[200~2 files\u001B[201~', '1'], 'box'],
    [['\t', 'a', '\t', '1'], 'first'],
    [['\t', '\u001B[1;2B', '1'], 'first'],
  ];
  for (const [keys, last] of SEQUENCES)
    test(`${JSON.stringify(keys)}: ${last}`, async () => {
      const scene = questionScene('');
      await scene.ask('approval');
      scene.wait(300);
      const did: string[] = [];
      for (const key of keys) did.push(await scene.press(key));
      assert.equal(did.at(-1), last);
      const isNumbered = scene.screen().includes('1. Allow once');
      assert.equal(isNumbered, last !== 'box', 'numbers are shown only where they count');
      assert.equal(/or a digit/.test(scene.screen()), isNumbered);
      scene.end();
    });

  test('a question that has rested has no focus, and a message takes every digit', async () => {
    const scene = questionScene('');
    await scene.ask('approval');
    scene.wait(300);
    await scene.press('\t');
    scene.setMessage('2 files');
    assert.equal(await scene.press('1'), 'box');
    scene.setMessage('');
    scene.wait(300);
    assert.equal(await scene.press('1'), 'box');
    scene.end();
  });

  test('Enter that is held answers one question, and not the one that follows', async () => {
    const scene = questionScene('');
    await scene.ask('approval');
    scene.wait(300);
    assert.equal(await scene.press('\r'), 'answer');
    await scene.ask('approval');
    for (let at = 0; at < 100; at += 1) {
      scene.wait(30);
      assert.notEqual(await scene.press('\r'), 'answer');
    }
    scene.end();
  });
});
