import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { promises } from './promises.ts';
import { root } from './tree.ts';

const COUNT = 80;

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** Whether a test of the file has the number in its title: `test('promise 7: …`. */
function cites(file: string, number: number): boolean {
  return new RegExp(`['"\`]promise ${number}: `).test(read(file));
}

suite('promises', () => {
  test('are numbered from 1 without a gap', () => {
    const numbers = promises.map((promise) => promise.number);
    assert.deepEqual(
      numbers,
      Array.from({ length: COUNT }, (_, i) => i + 1),
    );
  });

  for (const { number, text, status, tests, mutations } of promises) {
    const isOpen = typeof status === 'object' && 'unproven' in status;
    const todo = isOpen ? `no tests yet for ${status.unproven}` : false;
    test(`${number}. ${text}`, { todo }, () => {
      for (const file of tests) assert.ok(cites(file, number), `${file} does not cite ${number}`);
      if (status === 'held') {
        assert.ok(tests.length > 0, 'no test cites it');
        assert.ok(mutations.length > 0, 'no mutation is known to break it');
      } else if ('pending' in status) {
        assert.match(status.pending, /^issue \d+$/);
      }
      for (const { file, find, replace, tests: noticing } of mutations) {
        assert.ok(file.startsWith('packages/'));
        const places = read(file).split(find).length - 1;
        assert.equal(places, 1, `${file} has ${places} places to mutate`);
        assert.notEqual(find, replace);
        assert.ok(noticing.some((name) => tests.includes(name)));
      }
    });
  }
});
