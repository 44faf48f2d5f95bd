import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { entrySecrets } from './entry-secrets.ts';
import { PieceRedactor } from './redact.ts';

/** Most milliseconds. What grows with the square of the length takes many times as long. */
const PATIENCE = 5_000;

function textOf(length: number): string {
  return Array.from({ length }, (_, at) => ((at * at * 7 + at * 13) % 35).toString(36)).join('');
}

describe('long secrets', () => {
  const long = textOf(70_000);
  for (const [name, args] of Object.entries({
    'a script with a long word': ['-e', `const x = "${long}"; process.exit(1)`],
    'a long value behind a secret name': ['--token', long],
    'JSON with many secrets': [
      JSON.stringify({
        ...{ url: 'https://u:pass-word-1@example.com', token: long },
        list: Array.from({ length: 500 }, (_, at) => ({ key: `k${textOf(20 + (at % 50))}${at}` })),
      }),
    ],
  }))
    test(`${name} are found, and hidden in pieces, in a moment`, () => {
      const begin = performance.now();
      const secrets = entrySecrets({ args });
      const redactor = new PieceRedactor(() => secrets);
      const text = 'word '.repeat(4_000);
      let shown = '';
      for (let piece = 0; piece < 10; piece += 1) shown += redactor.take(text);
      shown += redactor.take(`${long.slice(0, 9_999)}`) + redactor.take(long.slice(9_999));
      shown += redactor.end();
      assert.ok(performance.now() - begin < PATIENCE, `${performance.now() - begin}`);
      const isSecret = secrets.includes(long);
      assert.equal(isSecret, args[0] !== '-e');
      assert.equal(shown, text.repeat(10) + (isSecret ? '[redacted]' : long));
    });

  test('the end of a text that may begin a secret is held back, however long it is', () => {
    const secret = 'abababababcabababababd';
    for (const before of ['', 'a', 'ab', 'xabab', 'abababababc'])
      for (let length = 1; length < secret.length; length += 1) {
        const redactor = new PieceRedactor(() => [secret]);
        const given = before + secret.slice(0, length);
        const shown = redactor.take(given);
        // Nothing that the rest of the secret would complete is shown.
        const held = given.slice(shown.length);
        assert.ok(secret.startsWith(held) && held.length >= length, given);
        const rest = redactor.take(secret.slice(length)) + redactor.end();
        assert.equal(shown + rest, `${before}[redacted]`, given);
      }
  });
});
