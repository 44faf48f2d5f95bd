import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENTRIES, readExports } from './unread-exports.ts';

/** Exports that nothing in TypeScript reads, with their readers. */
const READ_ELSEWHERE: Readonly<Record<string, string>> = {
  'packages/toolfold/src/cli/main.ts main': 'bin/toolfold.js, which old versions of Node can parse',
};

test('every export of the sources is read by another file, or is public', () => {
  const publicFiles = new Set(ENTRIES.values());
  const exports = readExports().filter(({ file }) => !publicFiles.has(file));
  assert.ok(exports.length > 3000, 'the exports are found');
  const unread = exports
    .filter(({ readers, isOfSignature }) => readers.length === 0 && !isOfSignature)
    .map(({ file, name }) => `${file} ${name}`);
  assert.deepEqual(
    unread.filter((one) => !(one in READ_ELSEWHERE)),
    [],
    'Take out "export", the line of the index.ts, or the code.',
  );
  const stale = Object.keys(READ_ELSEWHERE).filter((one) => !unread.includes(one));
  assert.deepEqual(stale, [], 'READ_ELSEWHERE names exports that are read.');
});
